package dev.soloist.coordination.cas;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands that our scripts call, with the answers of a real server: no more of each command than they use. The first
 * argument is the key. Stateless.
 */
final class Commands {

    /** One command. */
    @FunctionalInterface
    interface Command {
        Reply run(Keyspace keys, List<String> arguments);
    }

    private static final Map<String, Command> BY_NAME = Map.ofEntries(
            Map.entry("TIME", Commands::time),
            Map.entry("EXISTS", Commands::exists),
            Map.entry("DEL", Commands::del),
            Map.entry("PTTL", Commands::pttl),
            Map.entry("PEXPIRE", Commands::pexpire),
            Map.entry("GET", Commands::get),
            Map.entry("SET", Commands::set),
            Map.entry("HGET", HashCommands::hget),
            Map.entry("HMGET", HashCommands::hmget),
            Map.entry("HGETALL", HashCommands::hgetall),
            Map.entry("HLEN", HashCommands::hlen),
            Map.entry("HSET", HashCommands::hset),
            Map.entry("HDEL", HashCommands::hdel),
            Map.entry("LLEN", ListCommands::llen),
            Map.entry("LRANGE", ListCommands::lrange),
            Map.entry("LPOP", ListCommands::lpop),
            Map.entry("RPUSH", ListCommands::rpush),
            Map.entry("ZADD", ScoredCommands::zadd),
            Map.entry("ZREM", ScoredCommands::zrem),
            Map.entry("ZCARD", ScoredCommands::zcard),
            Map.entry("ZSCORE", ScoredCommands::zscore),
            Map.entry("ZRANGE", ScoredCommands::zrange));

    private Commands() {}

    static Reply run(Keyspace keys, String name, List<String> arguments) {
        Command command = BY_NAME.get(name);
        if (command == null) {
            throw new CommandFailed("ERR " + name + " is not among the commands of scripts without a server for them");
        }
        if (!name.equals("TIME") && arguments.isEmpty()) {
            throw new CommandFailed("ERR wrong number of arguments for '" + name + "' command");
        }
        return command.run(keys, arguments);
    }

    private static Reply time(Keyspace keys, List<String> arguments) {
        Instant now = keys.moment();
        return Reply.texts(List.of(String.valueOf(now.getEpochSecond()), String.valueOf(now.getNano() / 1000)));
    }

    private static Reply exists(Keyspace keys, List<String> arguments) {
        return Reply.of(
                arguments.stream().filter(key -> keys.find(key).isPresent()).count());
    }

    private static Reply del(Keyspace keys, List<String> arguments) {
        return Reply.of(arguments.stream().filter(keys::remove).count());
    }

    private static Reply pttl(Keyspace keys, List<String> arguments) {
        Optional<Stored> stored = keys.find(arguments.getFirst());
        return Reply.of(
                stored.map(is -> is.ends() ? is.endsAt() - keys.now() : -1).orElse(-2L));
    }

    private static Reply pexpire(Keyspace keys, List<String> arguments) {
        Arguments.exactly(2, arguments);
        String key = arguments.getFirst();
        long span = Arguments.integer(arguments.get(1));
        Optional<Stored> stored = keys.find(key);
        if (stored.isEmpty()) {
            return Reply.of(false);
        }
        if (span <= 0) {
            keys.remove(key);
        } else {
            keys.put(key, new Stored(stored.get().value(), keys.now() + span));
        }
        return Reply.of(true);
    }

    private static Reply get(Keyspace keys, List<String> arguments) {
        return keys.read(arguments.getFirst(), Value.Text.class)
                .map(text -> (Reply) new Reply.Text(text.content()))
                .orElse(Reply.NIL);
    }

    private static Reply set(Keyspace keys, List<String> arguments) {
        long endsAt = Stored.NEVER;
        if (arguments.size() == 4 && arguments.get(2).equals("PXAT")) {
            endsAt = Arguments.integer(arguments.get(3));
        } else if (arguments.size() != 2) {
            throw CommandFailed.syntax();
        }
        keys.put(arguments.getFirst(), new Stored(new Value.Text(arguments.get(1)), endsAt));
        return Reply.OK;
    }
}
