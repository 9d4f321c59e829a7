package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records. Every change is one compare-and-set against the very bytes that were read, so of two that change one task
 * one wins and the other reads again. Thread-safe.
 */
final class Tasks {

    /** Of records with payloads not more than so many are read at once, as a client is small. */
    static final int PAGE = 10;

    /** A record as it was read: what is stored, to be compared with, and what it says. */
    static final class Stored {

        private final byte[] raw;
        private final TaskRecord task;

        private Stored(byte[] raw) {
            this.raw = raw;
            this.task = RecordForm.read(raw);
        }

        TaskRecord task() {
            return task;
        }

        boolean isLiving() {
            return !task.state().isEnded();
        }
    }

    private final Commands commands;
    private final TaskKeys keys;
    private final Duration retention;

    Tasks(Commands commands, TaskKeys keys, Duration retention) {
        this.commands = commands;
        this.keys = keys;
        this.retention = retention;
    }

    @Nullable
    Stored read(TaskId id) {
        return stored(commands.get(keys.record(id)));
    }

    /** One element per id, null where there is no record; read in pages. */
    List<@Nullable Stored> readAll(List<TaskId> ids) {
        var all = new ArrayList<@Nullable Stored>(ids.size());
        for (int from = 0; from < ids.size(); from += PAGE) {
            List<String> page = ids.subList(from, Math.min(ids.size(), from + PAGE)).stream()
                    .map(keys::record)
                    .toList();
            commands.getAll(page).forEach(raw -> all.add(stored(raw)));
        }
        return all;
    }

    /** Writes the first record of an id; false if there is one. */
    boolean create(TaskId id, TaskRecord task) {
        return commands.setIfAbsent(keys.record(id), RecordForm.write(task));
    }

    /** Changes a record; false if it is not any more as it was read. */
    boolean change(TaskId id, Stored was, TaskRecord now) {
        return commands.setIfEqual(keys.record(id), RecordForm.write(now), was.raw);
    }

    /** Ends a task, remembering its id for the retention; false if its record is not any more as it was read. */
    boolean end(TaskId id, Stored was, TaskRecord.State how) {
        return retention.isZero()
                ? forget(id, was)
                : commands.setIfEqual(
                        keys.record(id), RecordForm.write(was.task().ended(how)), was.raw, retention);
    }

    /** Removes a record; false if it is not any more as it was read. */
    boolean forget(TaskId id, Stored was) {
        return commands.deleteIfEqual(keys.record(id), was.raw);
    }

    private static @Nullable Stored stored(byte @Nullable [] raw) {
        return raw == null ? null : new Stored(raw);
    }
}
