package dev.soloist.coordination.cas;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands on hashes. */
final class HashCommands {

    private HashCommands() {}

    static Reply hget(Keyspace keys, List<String> arguments) {
        Arguments.exactly(2, arguments);
        return field(read(keys, arguments), arguments.get(1));
    }

    static Reply hmget(Keyspace keys, List<String> arguments) {
        Map<String, String> fields = read(keys, arguments);
        return new Reply.Array(
                arguments.stream().skip(1).map(name -> field(fields, name)).toList());
    }

    static Reply hgetall(Keyspace keys, List<String> arguments) {
        List<String> flat = new ArrayList<>();
        read(keys, arguments).forEach((name, value) -> {
            flat.add(name);
            flat.add(value);
        });
        return Reply.texts(flat);
    }

    static Reply hlen(Keyspace keys, List<String> arguments) {
        return Reply.of(read(keys, arguments).size());
    }

    static Reply hset(Keyspace keys, List<String> arguments) {
        if (arguments.size() < 3 || arguments.size() % 2 == 0) {
            throw new CommandFailed("ERR wrong number of arguments for 'hset' command");
        }
        Map<String, String> fields = keys.write(arguments.getFirst(), Value.Hash.class, Value.Hash::new)
                .fields();
        long added = 0;
        for (int i = 1; i < arguments.size(); i += 2) {
            added += fields.put(arguments.get(i), arguments.get(i + 1)) == null ? 1 : 0;
        }
        return Reply.of(added);
    }

    static Reply hdel(Keyspace keys, List<String> arguments) {
        Optional<Value.Hash> hash = keys.read(arguments.getFirst(), Value.Hash.class);
        if (hash.isEmpty()) {
            return Reply.of(false);
        }
        long removed = arguments.stream()
                .skip(1)
                .filter(name -> hash.get().fields().remove(name) != null)
                .count();
        if (removed > 0) {
            keys.taken(arguments.getFirst());
        }
        return Reply.of(removed);
    }

    private static Map<String, String> read(Keyspace keys, List<String> arguments) {
        return keys.read(arguments.getFirst(), Value.Hash.class)
                .map(Value.Hash::fields)
                .orElse(Map.of());
    }

    private static Reply field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        return value == null ? Reply.NIL : new Reply.Text(value);
    }
}
