package dev.soloist.coordination.singleton;

import dev.soloist.coordination.script.ScriptReply;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job knew in the place that it left, on its way to the new one: its whole record and the history of its runs, as
 * they lie in Redis. Immutable.
 */
public final class Carried {

    /** Of a job that comes from nowhere. */
    public static final Carried NOTHING = new Carried(0, List.of(), List.of());

    private final long generation;
    private final List<byte[]> fields;
    private final List<byte[]> runs;

    private Carried(long generation, List<byte[]> fields, List<byte[]> runs) {
        this.generation = generation;
        this.fields = fields;
        this.runs = runs;
    }

    /** From the answer of {@code move_away.lua}. */
    static Carried read(ScriptReply moved) {
        return new Carried(moved.number(1), texts(moved.array(2)), texts(moved.array(3)));
    }

    /** Whether there is nothing to carry. */
    public boolean isNothing() {
        return fields.isEmpty();
    }

    /** Names the move by which it left. */
    long generation() {
        return generation;
    }

    /** The last arguments of {@code seed.lua}. */
    List<Object> arguments() {
        List<Object> all = new ArrayList<>(List.of(fields.size() / 2, runs.size()));
        all.addAll(fields);
        all.addAll(runs);
        return all;
    }

    private static List<byte[]> texts(ScriptReply array) {
        List<byte[]> all = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            all.add(array.bytes(i));
        }
        return List.copyOf(all);
    }
}
