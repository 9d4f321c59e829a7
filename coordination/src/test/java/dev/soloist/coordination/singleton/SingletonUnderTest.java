package dev.soloist.coordination.singleton;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** One job on a real server, the steps that tests repeat, and a look at the raw keys. */
final class SingletonUnderTest implements AutoCloseable {
    static final JobId JOB = new JobId("shop", "nightly");
    static final String UID = "uid-1";
    static final Duration TTL = Duration.ofSeconds(30);
    static final SpecRevision SPEC = new SpecRevision("1", "every 1h");
    static final InstanceId ALICE = new InstanceId("alice-uid-aaaaaa");
    static final InstanceId BOB = new InstanceId("bob-uid-bbbbbb");

    final RedisLink link;
    final RedisKeys keys;
    final SingletonStore store;

    private final BiFunction<String, String[], List<Object>> raw;
    private final String lease;

    /** On a server that has scripts. */
    SingletonUnderTest(RedisLink link) {
        this.link = link;
        this.keys = new RedisKeys(new Install("main"));
        this.lease = keys.lock(JOB);
        this.store = new SingletonStore(new ScriptRunner(link), keys);
        this.raw = link::call;
    }

    /** On a server that may have none. */
    SingletonUnderTest(ServerUnderTest server) {
        this.link = server.link();
        this.keys = BackendRunner.keys(new RedisKeys(new Install("main")), server.backend());
        this.lease = server.leaseOf(keys, JOB);
        this.store = new SingletonStore(server.scripts(link), keys, server.backend());
        this.raw = (command, arguments) -> server.call(link, command, arguments);
    }

    /** What somebody with redis-cli does to the keys. */
    List<Object> call(String command, String... arguments) {
        return raw.apply(command, arguments);
    }

    /** What the lease is called in {@link #call}. */
    String lease() {
        return lease;
    }

    Instant now() {
        return Instant.ofEpochMilli(link.now().toEpochMilli());
    }

    /** A seeded job that waits for an hour. */
    SingletonUnderTest delayed() {
        store.seed(JOB, UID, 1, "mark-1", now().plusSeconds(3600), false, SPEC);
        return this;
    }

    /** A seeded job whose slot is due but not promoted. */
    SingletonUnderTest due() {
        store.seed(JOB, UID, 1, "mark-1", now().minusMillis(10), false, SPEC);
        return this;
    }

    SingletonUnderTest ready() {
        due();
        store.promote(JOB);
        return this;
    }

    Grant running() {
        due();
        return claimed(ALICE, nonceOf(ALICE));
    }

    SingletonUnderTest paused() {
        delayed();
        store.suspend(JOB);
        return this;
    }

    SingletonUnderTest deleted() {
        delayed();
        store.delete(JOB, UID);
        return this;
    }

    Grant claimed(InstanceId instance, Nonce nonce) {
        return ((Claim.Claimed) claim(instance, nonce)).grant();
    }

    Claim claim(InstanceId instance, Nonce nonce) {
        return store.claim(JOB, request(instance, nonce, TTL));
    }

    ClaimRequest request(InstanceId instance, Nonce nonce, Duration ttl) {
        return new ClaimRequest(1, instance, "pod-" + instance.podUid(), nonce, ttl, now().plusSeconds(2));
    }

    static Nonce nonceOf(InstanceId instance) {
        return new Nonce("nonce-of-" + instance.podUid());
    }

    Finishing finish(InstanceId instance, Fence fence, FinishRequest request) {
        return store.finish(JOB, instance, nonceOf(instance), fence, request);
    }

    FinishRequest success() {
        return done(RunResult.SUCCEEDED, now().plusSeconds(3600), false);
    }

    static FinishRequest done(RunResult result, Instant nextDue, boolean retry) {
        return new FinishRequest(result, "said so", nextDue, retry, ReleasePolicy.ON_COMPLETION, Duration.ZERO);
    }

    WatchRequest watchRequest() {
        return watchRequest(AbandonPolicy.RETRY, 3);
    }

    WatchRequest watchRequest(AbandonPolicy policy, int maxMisses) {
        return new WatchRequest(
                Duration.ZERO,
                policy,
                now().plusSeconds(3600),
                new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(60)),
                maxMisses);
    }

    Watch watch() {
        return store.watch(JOB, watchRequest());
    }

    /** As after a lease that nobody renewed: the lock is gone and its end lies a moment back. */
    void lapse() {
        call("DEL", lease);
        call("HSET", keys.record(JOB), "lu", String.valueOf(now().toEpochMilli() - 5));
    }

    SingletonState state() {
        return store.snapshot(JOB).state();
    }

    List<String> readyTokens() {
        return texts(call("LRANGE", keys.ready(JOB), "0", "-1"));
    }

    /** Member and score in turn. */
    List<String> delayedTokens() {
        return texts(call("ZRANGE", keys.delayed(JOB), "0", "-1", "WITHSCORES"));
    }

    Map<String, String> record() {
        List<String> flat = texts(call("HGETALL", keys.record(JOB)));
        Map<String, String> fields = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        return fields;
    }

    /** Every key of the job with its whole content, to show that a step changed nothing. */
    Map<String, Object> everything() {
        Map<String, Object> all = new TreeMap<>();
        all.put("record", record());
        all.put("ready", readyTokens());
        all.put("delayed", delayedTokens());
        all.put("lock", texts(call("GET", lease)));
        all.put("history", texts(call("LRANGE", keys.history(JOB), "0", "-1")));
        all.put("mark", texts(call("GET", keys.mark(JOB))));
        return all;
    }

    String lock() {
        return String.join("", texts(call("GET", lease)));
    }

    long number(String command, String... arguments) {
        return (Long) call(command, arguments).getFirst();
    }

    static List<String> texts(List<Object> reply) {
        List<String> texts = new ArrayList<>();
        flatten(reply, texts);
        return texts;
    }

    private static void flatten(List<?> reply, List<String> texts) {
        for (Object element : reply) {
            switch (element) {
                case null -> {}
                case List<?> nested -> flatten(nested, texts);
                case byte[] raw -> texts.add(new String(raw, StandardCharsets.UTF_8));
                case Double score -> texts.add(String.valueOf(score.longValue()));
                default -> texts.add(element.toString());
            }
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
