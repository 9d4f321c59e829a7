package dev.soloist.coordination.link;

import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command before it is sent. Each sending is a command object of its own.
 *
 * @param key by which it finds its server in a Cluster, or null if any will do
 */
record Request(
        ProtocolKeyword word,
        CommandArgs<String, byte[]> arguments,
        @Nullable String key) {

    static Request of(String command, String... arguments) {
        var args = new CommandArgs<>(RedisLink.CODEC);
        for (String argument : arguments) {
            args.add(argument);
        }
        return new Request(new Word(command), args, CommandKeys.first(command, arguments));
    }

    static Request ofBytes(String command, List<byte[]> arguments) {
        var args = new CommandArgs<>(RedisLink.CODEC);
        arguments.forEach(args::add);
        String[] texts = arguments.stream().map(Replies::text).toArray(String[]::new);
        return new Request(new Word(command), args, CommandKeys.first(command, texts));
    }

    static Request evalsha(String sha, List<String> keys, byte[][] values) {
        return script(CommandType.EVALSHA, sha, keys, values);
    }

    static Request eval(String text, List<String> keys, byte[][] values) {
        return script(CommandType.EVAL, text, keys, values);
    }

    private static Request script(CommandType type, String script, List<String> keys, byte[][] values) {
        var args =
                new CommandArgs<>(RedisLink.CODEC).add(script).add(keys.size()).addKeys(keys);
        for (byte[] value : values) {
            args.add(value);
        }
        return new Request(type, args, keys.isEmpty() ? null : keys.getFirst());
    }

    /** The same, for the server in charge of the key. */
    Request by(String other) {
        return new Request(word, arguments, other);
    }

    AsyncCommand<String, byte[], List<Object>> fresh() {
        return new AsyncCommand<>(new Command<>(word, new NestedMultiOutput<>(RedisLink.CODEC), arguments));
    }

    private record Word(String name) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
