package dev.soloist.coordination.lease;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one namespace: at most one valid holder of a name, by the Redis clock. A lease is held only while somebody
 * renews it; its end frees it, whatever became of the holder. A fence is above every earlier one of the namespace, also
 * after lost data, as long as the clock of Redis has gone on. A call whose answer was lost
 * ({@link dev.soloist.coordination.link.RedisUnavailable}) may have been done and may be sent again unchanged.
 * Thread-safe and without state.
 */
public final class Leases {

    /** As many leases as a namespace may have at a time; what a namespace can take of the memory is bounded by it. */
    public static final int MOST = 10_000;

    /** As many as one look returns. */
    public static final int MOST_LISTED = 1000;

    private static final LuaScript ACQUIRE = LuaScript.load(Leases.class, "acquire.lua", 3, 6);
    private static final LuaScript RENEW = LuaScript.load(Leases.class, "renew.lua", 2, 3);
    private static final LuaScript RELEASE = LuaScript.load(Leases.class, "release.lua", 2, 3);
    private static final LuaScript REVOKE = LuaScript.load(Leases.class, "revoke.lua", 1, 2);
    private static final LuaScript LIST = LuaScript.load(Leases.class, "list.lua", 2, 4);

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final String namespace;
    private final int most;

    /** The leases of a namespace. */
    public Leases(ScriptRunner scripts, RedisKeys keys, String namespace) {
        this(scripts, keys, namespace, MOST);
    }

    Leases(ScriptRunner scripts, RedisKeys keys, String namespace, int most) {
        this.scripts = scripts;
        this.keys = keys;
        this.namespace = namespace;
        this.most = most;
    }

    /**
     * Asks for a lease.
     *
     * @param nonce names the wish: the same again gets the same fence as long as its lease lives
     */
    public Acquisition acquire(LeaseName name, LeaseHolder holder, Nonce nonce, Duration ttl) {
        ScriptReply reply = scripts.run(
                ACQUIRE,
                List.of(keys.leases(namespace), keys.leaseEnds(namespace), keys.leaseFence(namespace)),
                LeaseRecord.member(name),
                holder.podUid(),
                holder.podName(),
                nonce.value(),
                ttl.toMillis(),
                most);
        return switch (reply.status()) {
            case "OK" ->
                new Acquisition.Acquired(
                        LeaseRecord.fence(reply.number(1)),
                        reply.duration(2),
                        reply.instant(3).plus(reply.duration(2)),
                        reply.number(4) == 1);
            case "HELD" ->
                new Acquisition.Held(
                        reply.text(1), LeaseRecord.fence(reply.number(2)), reply.duration(3), reply.number(4) == 1);
            case "FULL" -> new Acquisition.Full();
            default -> throw reply.unknownStatus();
        };
    }

    /** Moves the end of a living lease to its whole time from now. */
    public LeaseRenewal renew(LeaseName name, LeaseHolder holder, Fence fence) {
        ScriptReply reply = scripts.run(RENEW, both(), LeaseRecord.member(name), holder.podUid(), fence.sequence());
        return switch (reply.status()) {
            case "OK" ->
                new LeaseRenewal.Renewed(reply.duration(1), reply.instant(2).plus(reply.duration(1)));
            case "REVOKED" -> new LeaseRenewal.Revoked(reply.duration(1));
            case "LOST" -> new LeaseRenewal.Lost();
            default -> throw reply.unknownStatus();
        };
    }

    /** Gives a lease back. Also for a pod that is proven dead: never call it on suspicion. */
    public LeaseRelease release(LeaseName name, LeaseHolder holder, Fence fence) {
        ScriptReply reply = scripts.run(RELEASE, both(), LeaseRecord.member(name), holder.podUid(), fence.sequence());
        return switch (reply.status()) {
            case "RELEASED" -> new LeaseRelease.Released();
            case "GONE" -> new LeaseRelease.Gone();
            case "FOREIGN" -> new LeaseRelease.Foreign(reply.duration(1));
            default -> throw reply.unknownStatus();
        };
    }

    /** Sees to it that a lease is not renewed; nobody else can have it before its end, for its holder cannot know yet. */
    public Revocation revoke(LeaseName name, Fence fence) {
        ScriptReply reply =
                scripts.run(REVOKE, List.of(keys.leases(namespace)), LeaseRecord.member(name), fence.sequence());
        return switch (reply.status()) {
            case "REVOKED" -> new Revocation.Revoked(reply.text(1), reply.duration(2));
            case "GONE" -> new Revocation.Gone();
            default -> throw reply.unknownStatus();
        };
    }

    /** The living leases, at most {@link #MOST_LISTED}. */
    public LeaseList list() {
        return list(LeasePoint.START, MOST_LISTED);
    }

    /**
     * The living leases from a point on. No end moves back while its lease lives: who reads on misses none that lives
     * throughout, and one that is renewed meanwhile may come again.
     *
     * @param wanted 1 to {@link #MOST_LISTED}
     */
    public LeaseList list(LeasePoint after, int wanted) {
        return list(-1, after, wanted);
    }

    /** The living leases that end within the given time unless they are renewed. */
    public LeaseList endingWithin(Duration time) {
        return list(time.toMillis(), LeasePoint.START, MOST_LISTED);
    }

    /**
     * Shows every lease that lives throughout the call, some at a time; one that is renewed meanwhile may be shown again.
     * Stops at what a look or the visitor throws.
     */
    public void each(Consumer<LeaseView> visitor) {
        @Nullable LeasePoint point = LeasePoint.START;
        while (point != null) {
            var page = list(point, MOST_LISTED);
            page.leases().forEach(visitor);
            point = page.next();
        }
    }

    private LeaseList list(long within, LeasePoint after, int wanted) {
        if (wanted < 1 || wanted > MOST_LISTED) {
            throw new IllegalArgumentException("1 to " + MOST_LISTED + " can be listed, not " + wanted);
        }
        ScriptReply reply = scripts.run(LIST, both(), within, wanted, after.end(), after.bytes());
        if (!reply.status().equals("OK")) {
            throw reply.unknownStatus();
        }
        Instant now = reply.instant(1);
        ScriptReply found = reply.array(2);
        List<LeaseView> views = new ArrayList<>();
        for (int i = 0; i + 2 < found.size(); i += 3) {
            LeaseRecord.view(found.text(i), found.text(i + 2), found.instant(i + 1), now)
                    .ifPresent(views::add);
        }
        var next = reply.text(3).isEmpty() ? null : LeasePoint.of(reply.number(3), reply.bytes(4));
        return new LeaseList(now, List.copyOf(views), next);
    }

    private List<String> both() {
        return List.of(keys.leases(namespace), keys.leaseEnds(namespace));
    }
}
