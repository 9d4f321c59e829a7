package dev.soloist.coordination.instance;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The instances of one job's queue. An instance takes part while it is listed as active; its lease only tells others when
 * they may fence it. Every call is one script, done whole or not at all, and may be repeated. Each change is hinted on
 * {@link RedisKeys#queueWake}. All calls block, and throw {@code RedisUnavailable} when no answer came. Thread-safe.
 */
public final class Instances {

    private static final LuaScript REGISTER = LuaScript.load(Instances.class, "register.lua", 2, 4);
    private static final LuaScript HEARTBEAT = LuaScript.load(Instances.class, "heartbeat.lua", 2, 2);
    private static final LuaScript FENCE = LuaScript.load(Instances.class, "fence.lua", 2, 4);
    private static final LuaScript ADOPT = LuaScript.load(Instances.class, "adopt.lua", 3, 3);
    private static final LuaScript LEAVE = LuaScript.load(Instances.class, "leave.lua", 2, 2);
    private static final LuaScript DROP = LuaScript.load(Instances.class, "drop.lua", 2, 2);
    private static final LuaScript LIST = LuaScript.load(Instances.class, "list.lua", 2, 0);

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final JobId job;

    /** The instances of a job's queue. */
    public Instances(ScriptRunner scripts, RedisKeys keys, JobId job) {
        this.scripts = scripts;
        this.keys = keys;
        this.job = job;
    }

    /**
     * Enters a new instance, with an empty segment of its own.
     *
     * @param lease how long it may stay silent
     */
    public Registering register(InstanceId instance, String podName, Duration lease) {
        ScriptReply reply =
                scripts.run(REGISTER, board(), instance.value(), instance.podUid(), podName, lease.toMillis());
        return switch (reply.status()) {
            case "REGISTERED" -> new Registering.Registered(instances(reply.array(1)));
            case "FENCED" -> new Registering.Fenced();
            default -> throw reply.unknownStatus();
        };
    }

    /**
     * Lets the lease run anew. The caller counts it from before sending this call.
     *
     * @param lease how long it may stay silent from now
     */
    public Heartbeat heartbeat(InstanceId instance, Duration lease) {
        ScriptReply reply = scripts.run(HEARTBEAT, board(), instance.value(), lease.toMillis());
        return switch (reply.status()) {
            case "ALIVE" -> new Heartbeat.Alive(segments(reply.text(2)), reply.instant(1));
            case "FENCED" -> new Heartbeat.Fenced();
            default -> throw reply.unknownStatus();
        };
    }

    /** Ends an instance's right to enqueue and reserve. Tasks it holds stay with it until their visibility is over. */
    public Fencing fence(InstanceId instance, Evidence evidence) {
        String kind = evidence instanceof Evidence.Terminated ? "TERMINATED" : "LEASE_OVER";
        long grace = evidence instanceof Evidence.LeaseOver(Duration after) ? after.toMillis() : 0;
        ScriptReply reply = scripts.run(FENCE, board(), instance.value(), kind, grace, keys.queueWake(job));
        return switch (reply.status()) {
            case "FENCED" -> new Fencing.Fenced();
            case "ALREADY" -> new Fencing.Already();
            case "STILL_ALIVE" -> new Fencing.StillAlive(reply.duration(1));
            case "GONE" -> new Fencing.Gone();
            default -> throw reply.unknownStatus();
        };
    }

    /** Hands everything a fenced instance looked after to a living one, whatever the number of tasks, in one moment. */
    public Adoption adopt(InstanceId fenced, InstanceId living) {
        ScriptReply reply = scripts.run(
                ADOPT,
                List.of(keys.instanceLeases(job), keys.instanceMembers(job), keys.reservations(job)),
                fenced.value(),
                living.value(),
                keys.queueWake(job));
        return switch (reply.status()) {
            case "ADOPTED" -> new Adoption.Adopted(segments(reply.text(1)));
            case "GONE" -> new Adoption.Gone();
            case "NOT_FENCED" -> new Adoption.NotFenced();
            case "NOT_LIVING" -> new Adoption.NotLiving();
            default -> throw reply.unknownStatus();
        };
    }

    /** Resigns, at the end of a process, so that nobody has to wait for the lease. */
    public Leaving leave(InstanceId instance) {
        return Leaving.valueOf(scripts.run(LEAVE, board(), instance.value(), keys.queueWake(job))
                .status());
    }

    /** Stops looking after an adopted segment, if it is empty. Call it when moving found nothing and no next due. */
    public Dropping drop(InstanceId owner, String segment) {
        return Dropping.valueOf(scripts.run(
                        DROP, List.of(keys.instanceMembers(job), keys.segment(job, segment)), owner.value(), segment)
                .status());
    }

    /** What an instance looks after; empty if it is not listed. */
    public List<String> segments(InstanceId instance) {
        return list().stream()
                .filter(view -> view.id().equals(instance))
                .flatMap(view -> view.segments().stream())
                .toList();
    }

    /** What all that are listed look after; every segment has one owner. */
    public List<String> segments() {
        return list().stream().flatMap(view -> view.segments().stream()).toList();
    }

    /** All that are listed, in no order. */
    public List<InstanceView> list() {
        ScriptReply reply = scripts.run(LIST, board());
        Instant now = reply.instant(1);
        ScriptReply rows = reply.array(2);
        var views = new ArrayList<InstanceView>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ScriptReply row = rows.array(i);
            Instant leaseEnd = row.instant(3);
            views.add(new InstanceView(
                    new InstanceId(row.text(0)),
                    row.text(2),
                    InstanceView.State.valueOf(row.text(1)),
                    leaseEnd,
                    now.isAfter(leaseEnd) ? Duration.between(leaseEnd, now) : Duration.ZERO,
                    segments(row.text(4))));
        }
        return List.copyOf(views);
    }

    private List<String> board() {
        return List.of(keys.instanceLeases(job), keys.instanceMembers(job));
    }

    private static List<String> segments(String joined) {
        return List.of(joined.split(","));
    }

    private static List<InstanceId> instances(ScriptReply names) {
        var all = new ArrayList<InstanceId>(names.size());
        for (int i = 0; i < names.size(); i++) {
            all.add(new InstanceId(names.text(i)));
        }
        return List.copyOf(all);
    }
}
