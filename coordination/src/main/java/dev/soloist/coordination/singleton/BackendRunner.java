package dev.soloist.coordination.singleton;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Runs the scripts of singleton jobs, each written for a lease that is a string, for leases of either kind. For a lease
 * among those of its namespace the same script stands behind {@code hash_lock.prelude}, which shows it the string it knows:
 * so both kinds keep one contract. Thread-safe.
 */
final class BackendRunner {

    private static final String PRELUDE = LuaScript.text(BackendRunner.class, "hash_lock.prelude");
    private static final Map<LuaScript, LuaScript> HASHED = new ConcurrentHashMap<>();

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final Backend backend;

    BackendRunner(ScriptRunner scripts, RedisKeys keys, Backend backend) {
        this.scripts = scripts;
        this.keys = keys(keys, backend);
        this.backend = backend;
    }

    /** Where the jobs of a back end are. */
    static RedisKeys keys(RedisKeys keys, Backend backend) {
        return switch (backend) {
            case STRING -> keys;
            case HASH -> keys.shared();
        };
    }

    /** The script as it is sent for leases of a hash. */
    static LuaScript hashed(LuaScript script) {
        return HASHED.computeIfAbsent(script, plain -> plain.behind(PRELUDE, "(Hash)", 2, 1));
    }

    ScriptReply run(JobId job, LuaScript script, List<String> names, Object... arguments) {
        return isAboutLease(job, names)
                ? scripts.run(hashed(script), with(job, names), with(job, arguments))
                : scripts.run(script, names, arguments);
    }

    Acknowledged<ScriptReply> run(
            JobId job,
            Durability durability,
            Predicate<ScriptReply> mustBeCopied,
            LuaScript script,
            List<String> names,
            Object... arguments) {
        return isAboutLease(job, names)
                ? scripts.run(durability, mustBeCopied, hashed(script), with(job, names), with(job, arguments))
                : scripts.run(durability, mustBeCopied, script, names, arguments);
    }

    private boolean isAboutLease(JobId job, List<String> names) {
        return backend == Backend.HASH && names.contains(keys.lock(job));
    }

    private List<String> with(JobId job, List<String> names) {
        var both = Stream.of(keys.leases(job.namespace()), keys.leaseEnds(job.namespace()));
        return Stream.concat(names.stream(), both).toList();
    }

    private static Object[] with(JobId job, Object[] arguments) {
        var more = Arrays.copyOf(arguments, arguments.length + 1);
        more[arguments.length] = "job/" + job.name();
        return more;
    }
}
