package dev.soloist.coordination.delayed.stream;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import java.util.List;

/** The keys of one job's stream. */
record StreamKeys(RedisKeys keys, JobId job) {

    String attempts() {
        return keys.attempts(job);
    }

    String stream() {
        return keys.taskStream(job);
    }

    String entries() {
        return keys.streamEntries(job);
    }

    String mark() {
        return keys.streamMark(job);
    }

    List<String> ofClaim() {
        return List.of(keys.tasks(job), attempts(), keys.done(job), keys.instanceMembers(job), stream(), entries());
    }

    List<String> ofRetirement() {
        return List.of(keys.instanceMembers(job), stream());
    }

    List<String> ofReplay() {
        return List.of(
                keys.tasks(job),
                attempts(),
                keys.done(job),
                keys.dead(job),
                keys.readyList(job, 0),
                keys.readyList(job, 1),
                keys.readyList(job, 2),
                stream(),
                entries(),
                keys.instanceMembers(job));
    }
}
