package dev.soloist.coordination.registration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.JobDefinitionJson;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The board between operator and sidecars, one per namespace: definitions of jobs, and which pods take part in them. The
 * operator writes it anew at every reconcile, so a lost board comes back by itself; each write also sends a hint on
 * {@link RedisKeys#registrationWake}. Every call is atomic. Thread-safe.
 */
public final class Registrations {

    private static final Logger LOGGER = LoggerFactory.getLogger(Registrations.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final LuaScript PUT = LuaScript.load(Registrations.class, "put.lua", 1, 3);
    private static final LuaScript REMOVE = LuaScript.load(Registrations.class, "remove.lua", 1, 2);
    private static final LuaScript READ = LuaScript.load(Registrations.class, "read.lua", 2, 1);
    private static final LuaScript LIST = LuaScript.load(Registrations.class, "list.lua", 1, 0);

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    /** A board on the given server. */
    public Registrations(ScriptRunner scripts, RedisKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    /** Writes a job's definition; returns whether it differs from what was there. */
    public boolean publish(JobDefinition job) {
        return put(
                keys.jobs(job.id().namespace()), job.id().namespace(), job.id().name(), JobDefinitionJson.write(job));
    }

    /** Takes a job's definition away; sidecars stop taking part. */
    public boolean withdraw(JobId job) {
        return remove(keys.jobs(job.namespace()), job.namespace(), job.name());
    }

    /** Writes what was decided about a pod; returns whether it differs from what was there. */
    public boolean assign(String namespace, String podUid, Assignment assignment) {
        return put(keys.assignments(namespace), namespace, podUid, write(assignment));
    }

    /** Forgets a pod. */
    public boolean unassign(String namespace, String podUid) {
        return remove(keys.assignments(namespace), namespace, podUid);
    }

    /** All pods of the namespace that were written about, by UID. */
    public Map<String, Assignment> assignments(String namespace) {
        ScriptReply reply = scripts.run(LIST, List.of(keys.assignments(namespace)));
        Map<String, Assignment> pods = new LinkedHashMap<>();
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            pods.put(reply.text(i), readAssignment(reply.text(i + 1)));
        }
        return pods;
    }

    /** Names of all jobs that were published in the namespace. */
    public Set<String> published(String namespace) {
        ScriptReply reply = scripts.run(LIST, List.of(keys.jobs(namespace)));
        Set<String> names = new LinkedHashSet<>();
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            names.add(reply.text(i));
        }
        return names;
    }

    /**
     * What a pod takes part in. A definition that cannot be read (written by a newer operator) is left out and logged; the
     * other jobs go on.
     */
    public Registration read(String namespace, String podUid) {
        ScriptReply reply = scripts.run(READ, List.of(keys.assignments(namespace), keys.jobs(namespace)), podUid);
        if (reply.status().equals("NONE")) {
            return new Registration(false, false, List.of());
        }
        Assignment assignment = readAssignment(reply.text(1));
        List<JobDefinition> jobs = new ArrayList<>();
        for (int i = 2; i + 1 < reply.size(); i += 2) {
            if (assignment.jobs().contains(reply.text(i))) {
                try {
                    jobs.add(JobDefinitionJson.read(reply.text(i + 1)));
                } catch (IllegalArgumentException e) {
                    LOGGER.warn("job {} is left out: {}", reply.text(i), e.getMessage());
                }
            }
        }
        return new Registration(true, assignment.eligible(), jobs);
    }

    private boolean put(String key, String namespace, String field, String value) {
        return scripts.run(PUT, List.of(key), field, value, keys.registrationWake(namespace))
                .status()
                .equals("CHANGED");
    }

    private boolean remove(String key, String namespace, String field) {
        return scripts.run(REMOVE, List.of(key), field, keys.registrationWake(namespace))
                .status()
                .equals("REMOVED");
    }

    private static String write(Assignment assignment) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("pod", assignment.podName()).put("eligible", assignment.eligible());
        ArrayNode jobs = json.putArray("jobs");
        assignment.jobs().stream().sorted().forEach(jobs::add);
        return json.toString();
    }

    private static Assignment readAssignment(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            Set<String> jobs = new LinkedHashSet<>();
            json.path("jobs").forEach(name -> jobs.add(name.asText()));
            return new Assignment(
                    json.path("pod").asText(), json.path("eligible").asBoolean(), jobs);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an assignment in Redis is not JSON", e);
        }
    }
}
