package dev.soloist.coordination.delayed;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;

/** The keys of one job's queue, so that the command classes read like the headers of their scripts. */
record QueueKeys(RedisKeys keys, JobId job) {

    String tasks() {
        return keys.tasks(job);
    }

    String attempts() {
        return keys.attempts(job);
    }

    String inFlight() {
        return keys.inFlight(job);
    }

    String done() {
        return keys.done(job);
    }

    String doneExpiry() {
        return keys.doneExpiry(job);
    }

    String dead() {
        return keys.dead(job);
    }

    String deduplication() {
        return keys.deduplication(job);
    }

    String deduplicationExpiry() {
        return keys.deduplicationExpiry(job);
    }

    String starts() {
        return keys.starts(job);
    }

    String reservations() {
        return keys.reservations(job);
    }

    String members() {
        return keys.instanceMembers(job);
    }

    String ready(int priority) {
        return keys.readyList(job, priority);
    }

    String shared() {
        return keys.sharedSegment(job);
    }

    String segment(String name) {
        return keys.segment(job, name);
    }

    String segment(InstanceId instance) {
        return segment(instance.value());
    }

    String log() {
        return keys.queueLog(job);
    }

    String wake() {
        return keys.queueWake(job);
    }
}
