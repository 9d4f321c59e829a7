package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;

/** The keys of one job's tasks. Immutable. */
record TaskKeys(RedisKeys keys, JobId job) {

    /** The only priority here. */
    private static final int NORMAL = 1;

    /** The name of the segment that is nobody's. */
    static final String SHARED = "_shared";

    String record(TaskId id) {
        return keys.taskRecord(job, id.bytes());
    }

    String records() {
        return keys.taskRecords(job);
    }

    /** A pattern for every key of the job's tasks and instances. */
    String all() {
        String index = keys.taskIndex(job);
        return index.substring(0, index.lastIndexOf('}') + 1) + ":*";
    }

    String index() {
        return keys.taskIndex(job);
    }

    String segment(String name) {
        return keys.segment(job, name);
    }

    String ready() {
        return keys.readyList(job, NORMAL);
    }

    String processing(InstanceId instance) {
        return keys.processing(job, instance);
    }

    String lastReservation(InstanceId instance) {
        return keys.lastReservation(job, instance);
    }

    String inFlight() {
        return keys.inFlight(job);
    }

    String dead() {
        return keys.dead(job);
    }

    String wake() {
        return keys.queueWake(job);
    }

    /** How segments and lists name a task: the digit of its priority and its id. */
    static byte[] member(TaskId id) {
        byte[] bytes = id.bytes();
        byte[] member = new byte[bytes.length + 1];
        member[0] = '0' + NORMAL;
        System.arraycopy(bytes, 0, member, 1, bytes.length);
        return member;
    }

    /** The task that a member names. */
    static TaskId task(byte[] member) {
        byte[] bytes = new byte[member.length - 1];
        System.arraycopy(member, 1, bytes, 0, bytes.length);
        return TaskId.fromBytes(bytes);
    }
}
