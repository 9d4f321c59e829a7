package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the scripts of delayed jobs did, read from what they wrote. */
final class QueueAccount {

    private static final int TASKS = 0;
    private static final int ATTEMPTS = 1;
    private static final int IN_FLIGHT = 2;

    private final Consumer<Event> history;

    /** When what is held under a receipt began, in ms; only under a rate limit. */
    private final Map<String, Long> beginnings = new HashMap<>();

    QueueAccount(Consumer<Event> history) {
        this.history = history;
    }

    /** The fields of an attempts record that matter here: {@code st|prio|att|receipt|inst|due|..}. */
    private record Attempts(char state, int count, String receipt, long due) {
        static Attempts parse(String text) {
            String[] f = text.split("\\|", 7);
            return new Attempts(f[0].charAt(0), Integer.parseInt(f[2]), f[3], Long.parseLong(f[5]));
        }
    }

    void tell(ScriptCall call) {
        switch (call.verb()) {
            case "enqueue" -> enqueue(call);
            case "reserve" -> reserve(call);
            case "ack" -> ack(call);
            case "nack" -> {
                notBegun(call);
                attempts(call, call.args().get(2));
                cancelled(call, call.args().get(2));
            }
            case "sweep" -> sweep(call);
            case "cancel" -> {
                if (!call.written(ATTEMPTS).isEmpty()) {
                    history.accept(new Event.CancelAsked(
                            call.at(), call.job(), call.args().getFirst()));
                }
                cancelled(call, "");
            }
            case "reschedule" -> call.written(ATTEMPTS).forEach((id, record) -> replanned(call, id, record));
            case "requeue" -> attempts(call, "");
            case "extend" ->
                call.on(1, "ZADD")
                        .forEach(words -> history.accept(new Event.Held(
                                call.at(),
                                call.job(),
                                words.get(1),
                                call.args().get(1),
                                Long.parseLong(words.getFirst()))));
            case "purge" ->
                call.deleted(TASKS).forEach(id -> history.accept(new Event.Purged(call.at(), call.job(), id)));
            default -> {}
        }
    }

    private void enqueue(ScriptCall call) {
        Map<String, String> policies = policies(call.args());
        Map<String, String> wishes = wishes(call.args());
        call.written(TASKS).forEach((id, value) -> {
            String[] fields = value.split("\\|", 6);
            keyed(call, id, wishes.getOrDefault(id, ""), Long.parseLong(fields[4]));
            history.accept(new Event.Stored(
                    call.at(),
                    call.job(),
                    id,
                    call.args().getFirst(),
                    Long.parseLong(fields[1]),
                    fields[2],
                    policies.getOrDefault(id, "")));
        });
        call.written(ATTEMPTS).forEach((id, record) -> replanned(call, id, record));
    }

    /** The policy of each task of the call, by its id: the first stands before the limits, the others behind the channel. */
    private static Map<String, String> policies(List<String> args) {
        var policies = new HashMap<String, String>();
        policies.put(args.get(1), args.get(6));
        for (int i = 13; i + 8 < args.size(); i += 9) {
            policies.put(args.get(i), args.get(i + 5));
        }
        return policies;
    }

    /** What each task of the call asked for, by its id: {@code window|SUCCESS or TERMINAL|key}. */
    private static Map<String, String> wishes(List<String> args) {
        var wishes = new HashMap<String, String>();
        if (args.size() > 12) {
            wishes.put(args.get(1), args.get(12));
        }
        for (int i = 13; i + 8 < args.size(); i += 9) {
            wishes.put(args.get(i), args.get(i + 8));
        }
        return wishes;
    }

    /** A task that was written whole and asked for a key has it, whatever was written of keys. */
    private void keyed(ScriptCall call, String id, String wish, long now) {
        String[] words = wish.split("\\|", 3);
        if (words.length == 3) {
            history.accept(new Event.Keyed(
                    call.at(), call.job(), id, words[2], now + Long.parseLong(words[0]), words[1].equals("TERMINAL")));
        }
    }

    private void replanned(ScriptCall call, String id, String record) {
        history.accept(new Event.Replanned(
                call.at(), call.job(), id, call.verb(), Attempts.parse(record).due()));
    }

    private void reserve(ScriptCall call) {
        Map<String, Long> deadlines = call.scored(IN_FLIGHT);
        var handedOut = new HashSet<String>();
        call.written(ATTEMPTS).forEach((id, text) -> {
            var record = Attempts.parse(text);
            handedOut.add(id);
            if (record.state() == 'I') {
                history.accept(new Event.Delivered(
                        call.at(),
                        call.job(),
                        id,
                        call.args().getFirst(),
                        record.receipt(),
                        record.count(),
                        deadlines.getOrDefault(id, 0L)));
            } else {
                history.accept(new Event.Died(call.at(), call.job(), id, "reserve", ""));
            }
        });
        begun(call, deadlines, handedOut);
        deadlines.forEach((id, deadline) -> {
            if (!handedOut.contains(id)) {
                history.accept(new Event.Held(call.at(), call.job(), id, "", deadline));
            }
        });
    }

    private void begun(ScriptCall call, Map<String, Long> deadlines, Set<String> handedOut) {
        int max = call.args().size() > 9 ? Integer.parseInt(call.args().get(8)) : 0;
        long visibility = Long.parseLong(call.args().get(3));
        List<Long> begun = deadlines.entrySet().stream()
                .filter(entry -> handedOut.contains(entry.getKey()))
                .map(entry -> entry.getValue() - visibility)
                .toList();
        if (max > 0 && !begun.isEmpty()) {
            call.written(ATTEMPTS).values().stream()
                    .map(Attempts::parse)
                    .filter(record -> record.state() == 'I')
                    .forEach(record -> beginnings.put(record.receipt(), begun.getFirst()));
            history.accept(new Event.Begun(
                    call.at(),
                    call.job(),
                    begun.getFirst(),
                    begun.size(),
                    max,
                    Long.parseLong(call.args().get(9))));
        }
    }

    /** By what the caller says, not by what the script made of it. */
    private void notBegun(ScriptCall call) {
        boolean givenBack =
                !call.written(ATTEMPTS).isEmpty() || !call.deleted(TASKS).isEmpty();
        Long moment = givenBack ? beginnings.remove(call.args().get(2)) : null;
        if (moment != null && call.args().get(4).equals("UNSEEN")) {
            history.accept(new Event.NotBegun(call.at(), call.job(), moment));
        }
    }

    private void ack(ScriptCall call) {
        var receipts = new HashMap<String, String>();
        for (int i = 1; i + 1 < call.args().size(); i += 2) {
            receipts.put(call.args().get(i), call.args().get(i + 1));
        }
        call.deleted(TASKS)
                .forEach(id ->
                        history.accept(new Event.Acked(call.at(), call.job(), id, receipts.getOrDefault(id, ""))));
    }

    private void sweep(ScriptCall call) {
        var placed = new HashSet<>(call.deleted(TASKS));
        placed.addAll(call.written(ATTEMPTS).keySet());
        call.on(IN_FLIGHT, "ZREM")
                .flatMap(List::stream)
                .filter(id -> !placed.contains(id))
                .forEach(id -> history.accept(new Event.Vanished(call.at(), call.job(), id, "sweep")));
        attempts(call, "");
        cancelled(call, "");
    }

    private void attempts(ScriptCall call, String receipt) {
        call.written(ATTEMPTS).forEach((id, text) -> {
            var record = Attempts.parse(text);
            history.accept(
                    record.state() == 'D'
                            ? new Event.Died(call.at(), call.job(), id, call.verb(), receipt)
                            : new Event.Returned(
                                    call.at(), call.job(), id, call.verb(), receipt, record.due(), record.count()));
        });
    }

    private void cancelled(ScriptCall call, String receipt) {
        call.deleted(TASKS)
                .forEach(id -> history.accept(new Event.Cancelled(call.at(), call.job(), id, call.verb(), receipt)));
    }
}
