package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Moved;
import dev.soloist.coordination.delayed.TaskId;
import java.time.Instant;
import java.util.List;

/**
 * Makes due tasks ready. The hint is in the ready list before it leaves the segment, so it is never in neither; a mover
 * that dies between, or two movers of one segment, leave it in both, which costs one more look. No record is read: if an
 * entry got another due between the reading and the removal, reserving judges the hint and enters it again. Thread-safe.
 */
final class Moving {

    private final Commands commands;
    private final TaskKeys keys;
    private final Hints hints;

    Moving(Commands commands, TaskKeys keys, Hints hints) {
        this.commands = commands;
        this.keys = keys;
        this.hints = hints;
    }

    Moved move(String segment, int max) {
        String key = keys.segment(segment);
        long now = commands.time();
        // By rank, for by score Pika reads everything that is due before it looks at the limit.
        List<Commands.Scored> page = commands.first(key, max);
        List<byte[]> due = page.stream()
                .filter(entry -> entry.score() <= now)
                .map(Commands.Scored::member)
                .toList();
        if (!due.isEmpty()) {
            List<TaskId> ids = due.stream().map(TaskKeys::task).toList();
            hints.ready(ids);
            commands.remove(key, due);
        }
        List<Commands.Scored> rest = due.size() == page.size() && page.size() == max
                ? commands.first(key, 1)
                : page.subList(due.size(), page.size());
        Instant head =
                rest.isEmpty() ? null : Instant.ofEpochMilli(rest.getFirst().score());
        return new Moved(due.size(), head, Instant.ofEpochMilli(now));
    }
}
