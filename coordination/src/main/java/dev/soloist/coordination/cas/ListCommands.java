package dev.soloist.coordination.cas;

import java.util.List;

/** Commands on lists. */
final class ListCommands {

    private ListCommands() {}

    static Reply llen(Keyspace keys, List<String> arguments) {
        return Reply.of(read(keys, arguments).size());
    }

    static Reply lrange(Keyspace keys, List<String> arguments) {
        Arguments.exactly(3, arguments);
        return Reply.texts(Arguments.range(read(keys, arguments), arguments.get(1), arguments.get(2)));
    }

    static Reply lpop(Keyspace keys, List<String> arguments) {
        long count = arguments.size() > 1 ? Arguments.integer(arguments.get(1)) : 1;
        if (arguments.size() > 2) {
            throw CommandFailed.syntax();
        }
        List<String> elements = read(keys, arguments);
        if (elements.isEmpty()) {
            return Reply.NIL;
        }
        List<String> head = elements.subList(0, (int) Math.min(count, elements.size()));
        Reply reply = arguments.size() > 1 ? Reply.texts(head) : new Reply.Text(head.getFirst());
        if (!head.isEmpty()) {
            head.clear();
            keys.taken(arguments.getFirst());
        }
        return reply;
    }

    static Reply rpush(Keyspace keys, List<String> arguments) {
        if (arguments.size() < 2) {
            throw new CommandFailed("ERR wrong number of arguments for 'rpush' command");
        }
        List<String> elements = keys.write(arguments.getFirst(), Value.Sequence.class, Value.Sequence::new)
                .elements();
        elements.addAll(arguments.subList(1, arguments.size()));
        return Reply.of(elements.size());
    }

    private static List<String> read(Keyspace keys, List<String> arguments) {
        return keys.read(arguments.getFirst(), Value.Sequence.class)
                .map(Value.Sequence::elements)
                .orElse(List.of());
    }
}
