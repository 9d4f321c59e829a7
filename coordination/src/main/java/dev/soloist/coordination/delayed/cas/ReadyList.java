package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the ready list tells of hints that are not in it. Thread-safe. */
final class ReadyList {

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;

    ReadyList(Commands commands, TaskKeys keys, Tasks tasks) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
    }

    /**
     * The list is served oldest first: what was due before the first that waits in it has been served, or its hint was
     * lost. With nothing in the list that is so of everything that is due.
     */
    long servedUpTo(long now) {
        List<TaskId> first = commands.peek(keys.ready(), Tasks.PAGE).stream()
                .map(TaskKeys::task)
                .toList();
        for (Tasks.@Nullable Stored stored : tasks.readAll(first)) {
            if (stored != null && stored.task().state() == TaskRecord.State.P) {
                return stored.task().due();
            }
        }
        return first.isEmpty() ? now : 0;
    }
}
