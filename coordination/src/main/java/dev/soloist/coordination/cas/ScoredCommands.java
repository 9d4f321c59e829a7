package dev.soloist.coordination.cas;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commands on sorted sets. */
final class ScoredCommands {

    private ScoredCommands() {}

    static Reply zadd(Keyspace keys, List<String> arguments) {
        Arguments.exactly(3, arguments);
        double score = Arguments.score(arguments.get(1));
        Value.Scored set = keys.write(arguments.getFirst(), Value.Scored.class, Value.Scored::new);
        return Reply.of(set.scores().put(arguments.get(2), score) == null);
    }

    static Reply zrem(Keyspace keys, List<String> arguments) {
        Optional<Value.Scored> set = keys.read(arguments.getFirst(), Value.Scored.class);
        if (set.isEmpty()) {
            return Reply.of(false);
        }
        long removed = arguments.stream()
                .skip(1)
                .filter(member -> set.get().scores().remove(member) != null)
                .count();
        if (removed > 0) {
            keys.taken(arguments.getFirst());
        }
        return Reply.of(removed);
    }

    static Reply zcard(Keyspace keys, List<String> arguments) {
        return Reply.of(keys.sizeOutside(arguments.getFirst())
                .orElseGet(() -> (long) read(keys, arguments).scores().size()));
    }

    static Reply zscore(Keyspace keys, List<String> arguments) {
        Arguments.exactly(2, arguments);
        Double score = read(keys, arguments).scores().get(arguments.get(1));
        return score == null ? Reply.NIL : new Reply.Text(Arguments.text(score));
    }

    static Reply zrange(Keyspace keys, List<String> arguments) {
        if (arguments.size() > 3 && arguments.get(3).equals("BYSCORE")) {
            return byScore(keys, arguments);
        }
        boolean withScores = arguments.size() == 4 && arguments.get(3).equals("WITHSCORES");
        if (arguments.size() != 3 && !withScores) {
            throw CommandFailed.syntax();
        }
        Value.Scored set = read(keys, arguments);
        return members(set, Arguments.range(set.inOrder(), arguments.get(1), arguments.get(2)), withScores);
    }

    /** {@code key min max BYSCORE LIMIT 0 count [WITHSCORES]}. */
    private static Reply byScore(Keyspace keys, List<String> arguments) {
        boolean withScores = arguments.size() == 8 && arguments.get(7).equals("WITHSCORES");
        boolean limited = arguments.size() >= 7
                && arguments.get(4).equals("LIMIT")
                && arguments.get(5).equals("0");
        if (!limited || (arguments.size() != 7 && !withScores)) {
            throw CommandFailed.syntax();
        }
        Value.Scored set = read(keys, arguments);
        String least = arguments.get(1);
        boolean without = least.startsWith("(");
        double from = Arguments.score(without ? least.substring(1) : least);
        double to = Arguments.score(arguments.get(2));
        var chosen = set.inOrder().stream()
                .filter(member -> without ? set.score(member) > from : set.score(member) >= from)
                .filter(member -> set.score(member) <= to)
                .limit(Arguments.integer(arguments.get(6)))
                .toList();
        return members(set, chosen, withScores);
    }

    private static Reply members(Value.Scored set, List<String> chosen, boolean withScores) {
        List<String> reply = new ArrayList<>();
        for (String member : chosen) {
            reply.add(member);
            if (withScores) {
                reply.add(Arguments.text(set.score(member)));
            }
        }
        return Reply.texts(reply);
    }

    private static Value.Scored read(Keyspace keys, List<String> arguments) {
        return keys.read(arguments.getFirst(), Value.Scored.class).orElseGet(Value.Scored::new);
    }
}
