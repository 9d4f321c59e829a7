package dev.soloist.coordination.delayed.cas;

import java.util.List;

/** Deletes every key of one job's tasks. They share a prefix, which is asked for in pages, for there is no other list of all. */
final class Removal {

    private static final int PAGE = 500;

    private final Commands commands;
    private final TaskKeys keys;

    Removal(Commands commands, TaskKeys keys) {
        this.commands = commands;
        this.keys = keys;
    }

    void remove() {
        String cursor = "0";
        do {
            List<String> page = commands.scan(cursor, keys.all(), PAGE);
            page.stream().skip(1).forEach(commands::delete);
            cursor = page.getFirst();
        } while (!cursor.equals("0"));
    }
}
