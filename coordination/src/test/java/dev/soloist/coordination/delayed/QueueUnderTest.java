package dev.soloist.coordination.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.CasTampering;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A queue on a real server, with short ways to fill it and to look at what is stored. */
public final class QueueUnderTest implements AutoCloseable {

    public static final JobId JOB = new JobId("shop", "mails");
    public static final RedisKeys KEYS = new RedisKeys(Install.MAIN);
    public static final Duration MINUTE = Duration.ofMinutes(1);
    public static final When MINUTE_LATER = When.after(MINUTE);
    public static final Backoff BACKOFF = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

    public final RedisLink link;
    public final DelayedQueue queue;
    public final Instances instances;
    private final @Nullable BehindPika cas;

    public QueueUnderTest(RedisLink link) {
        this(link, QueueLimits.DEFAULT);
    }

    public QueueUnderTest(RedisLink link, QueueLimits limits) {
        this(link, limits, ByStream.current());
    }

    public QueueUnderTest(RedisLink link, QueueLimits limits, Transport transport) {
        this.link = link;
        this.cas = BehindPika.current();
        var scripts = new ScriptRunner(link);
        this.instances = cas == null ? new Instances(scripts, KEYS, JOB) : cas.instances(link);
        this.queue = cas == null
                ? DelayedQueue.of(scripts, KEYS, JOB, limits.withTransport(transport))
                : cas.queue(link, instances, limits);
    }

    /** A registered instance of a pod of its own. */
    public InstanceId member() {
        return member("pod-" + UUID.randomUUID());
    }

    /** A registered instance of the given pod. */
    public InstanceId member(String podUid) {
        InstanceId instance = InstanceId.create(podUid);
        assertThat(instances.register(instance, "a-pod", MINUTE)).isInstanceOf(Registering.Registered.class);
        return instance;
    }

    public static NewTask task(String id, When when, OnDuplicate policy) {
        return task(TaskId.of(id), when, policy, Nonce.create().value());
    }

    public static NewTask task(TaskId id, When when, OnDuplicate policy, String requestKey) {
        byte[] bytes = "{}".getBytes(StandardCharsets.UTF_8);
        return new NewTask(id, Payload.of(bytes, "application/json"), when, requestKey, policy);
    }

    /** Enqueues with a fresh request key, refusing duplicates. */
    public Enqueue enqueue(InstanceId instance, String id, When when) {
        return queue.enqueue(instance, task(id, when, OnDuplicate.REJECT));
    }

    public Enqueue.Accepted accepted(InstanceId instance, NewTask task) {
        Enqueue answer = queue.enqueue(instance, task);
        assertThat(answer).isInstanceOf(Enqueue.Accepted.class);
        return (Enqueue.Accepted) answer;
    }

    public Reservation.Reserved reserve(InstanceId instance, int max) {
        return reserve(instance, Nonce.create(), max, MINUTE);
    }

    public Reservation.Reserved reserve(InstanceId instance, Nonce nonce, int max, Duration visibility) {
        Reservation answer = queue.reserve(instance, new ReserveRequest(nonce, max, visibility, 3));
        assertThat(answer).isInstanceOf(Reservation.Reserved.class);
        return (Reservation.Reserved) answer;
    }

    /** Enqueues a task due now and reserves it. */
    public ReservedTask held(InstanceId instance, String id, Duration visibility) {
        enqueue(instance, id, When.now());
        return reserve(instance, Nonce.create(), 1, visibility).tasks().getFirst();
    }

    public static SweepRequest sweep(int max) {
        return new SweepRequest(max, BACKOFF, 3);
    }

    /** Without scripts the keys of the instances lie in one string. */
    private List<Object> look(String command, String... arguments) {
        boolean inside = cas != null
                && Set.of(KEYS.instanceLeases(JOB), KEYS.instanceMembers(JOB)).contains(arguments[0]);
        return inside ? new CasTampering(link).call(command, arguments) : link.call(command, arguments);
    }

    public @Nullable String field(String key, String field) {
        if (cas != null) {
            return hash(key).get(field);
        }
        List<Object> reply = look("HGET", key, field);
        return reply.isEmpty() || reply.getFirst() == null ? null : text(reply.getFirst());
    }

    public List<String> list(int priority) {
        List<String> hints = link.call("LRANGE", KEYS.readyList(JOB, priority), "0", "-1").stream()
                .map(QueueUnderTest::text)
                .toList();
        return cas == null ? hints : hints.reversed();
    }

    public Map<String, Long> zset(String key) {
        if (cas != null && key.equals(KEYS.doneExpiry(JOB))) {
            return cas.view(link).doneExpiry();
        }
        List<Object> flat = look("ZRANGE", key, "0", "-1", "WITHSCORES");
        var scores = new LinkedHashMap<String, Long>();
        if (!flat.isEmpty() && flat.getFirst() instanceof List<?>) {
            for (Object pair : flat) {
                scores.put(text(((List<?>) pair).get(0)), score(((List<?>) pair).get(1)));
            }
        } else {
            for (int i = 0; i < flat.size(); i += 2) {
                scores.put(text(flat.get(i)), score(flat.get(i + 1)));
            }
        }
        return scores;
    }

    public Map<String, Long> segment(InstanceId instance) {
        return zset(KEYS.segment(JOB, instance.value()));
    }

    /** Everything stored, key by key, to show that something changed nothing. */
    public Map<String, String> dump() {
        var all = new TreeMap<String, String>();
        for (Object key : link.call("KEYS", "*")) {
            String name = text(key);
            String type = text(link.call("TYPE", name).getFirst());
            all.put(
                    name,
                    switch (type) {
                        case "hash" -> new TreeMap<>(hash(name)).toString();
                        case "zset" -> zset(name).toString();
                        case "list" ->
                            link.call("LRANGE", name, "0", "-1").stream()
                                    .map(QueueUnderTest::text)
                                    .toList()
                                    .toString();
                        case "string" -> text(link.call("GET", name).getFirst());
                        default -> type;
                    });
        }
        return all;
    }

    public Map<String, String> hash(String key) {
        if (cas != null && key.equals(KEYS.tasks(JOB))) {
            return cas.view(link).tasks();
        }
        if (cas != null && key.equals(KEYS.attempts(JOB))) {
            return cas.view(link).attempts();
        }
        if (cas != null && key.equals(KEYS.done(JOB))) {
            return cas.view(link).done();
        }
        List<Object> flat = look("HGETALL", key);
        var fields = new LinkedHashMap<String, String>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(text(flat.get(i)), text(flat.get(i + 1)));
        }
        return fields;
    }

    /** Makes all scripts known to the server, so that the next call of each runs at its first sending. */
    public void loadScripts() {
        scriptsBeside(DelayedQueue.class);
        scriptsBeside(Instances.class);
    }

    /** Read from the sources: on the class path they may lie in a jar, which cannot be listed as a folder. */
    private void scriptsBeside(Class<?> family) {
        var folder = Path.of("src/main/resources", family.getPackageName().split("\\."));
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".lua"))
                    .forEach(file -> link.call("SCRIPT", "LOAD", read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        link.close();
    }

    public static String text(@Nullable Object raw) {
        return switch (raw) {
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case null -> "";
            default -> raw.toString();
        };
    }

    private static long score(Object raw) {
        return (long) Double.parseDouble(text(raw));
    }
}
