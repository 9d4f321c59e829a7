package dev.soloist.coordination.testkit.pika;

import dev.soloist.coordination.testkit.pika.Translation.Answer;
import dev.soloist.coordination.testkit.pika.Translation.Forward;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What Pika makes of a command, by its command table ({@code include/pika_command.h}) and the parsers in {@code
 * src/pika_*.cc} of 3.5.5 and 4.0.1. A name that is not in the table is an unknown command. Pure.
 */
final class PikaDialect {

    /** Commands that a Redis of the same arguments answers alike, as far as this project is concerned. */
    private static final Set<String> ALIKE = Set.of("""
            auth select flushall flushdb dbsize time echo
            get del unlink incr incrby incrbyfloat decr decrby getset append mget keys setnx setex mset msetnx getrange
            setrange strlen exists expire expireat ttl persist type scan
            hdel hget hgetall hexists hincrby hincrbyfloat hkeys hlen hmget hmset hsetnx hstrlen hvals hscan
            lindex linsert llen blpop lpush lpushx lrange lrem lset ltrim brpop rpoplpush rpush rpushx
            zcard zscan zincrby zrangebyscore zcount zrem zrank zrevrank zscore zrevrangebyscore zremrangebyrank
            zremrangebyscore zpopmax zpopmin
            sadd spop scard smembers sscan srem sismember
            publish pubsub""".split("\\s+"));

    private static final Set<String> STREAMS =
            Set.of("xadd", "xdel", "xread", "xlen", "xrange", "xrevrange", "xtrim", "xinfo");

    private final PikaRelease release;
    private final PikaInfo info;

    PikaDialect(PikaRelease release, PikaInfo info) {
        this.release = release;
        this.info = info;
    }

    Translation translate(List<byte[]> command) {
        String name = Resp.text(command.getFirst()).toLowerCase(Locale.ROOT);
        int size = command.size();
        return switch (name) {
            case "hello" -> hello(command);
            case "client" -> client(command);
            case "info" -> new Answer(Resp.bulk(info.section(size > 1 ? word(command, 1) : "")));
            case "config" -> new Answer(word(command, 1).equals("get") ? Resp.array() : Resp.ok());
            case "ping" -> size == 1 ? new Answer(Resp.bytes("+PONG\r\n")) : Translation.wrongNumber(name);
            case "set" -> size < 3 ? Translation.wrongNumber(name) : SetCommand.parse(command, release);
            case "delvx" -> size == 3 ? SetCommand.delete(command) : Translation.wrongNumber(name);
            case "psetex" -> size == 4 ? psetex(command) : Translation.wrongNumber(name);
            case "pexpire" -> size == 3 ? pexpire(command) : Translation.wrongNumber(name);
            case "pttl" -> size == 2 ? pttl(command) : Translation.wrongNumber(name);
            case "hset" -> size == 4 ? new Forward(command) : Translation.wrongNumber(name);
            case "lpop", "rpop" -> size == 2 ? new Forward(command) : Translation.wrongNumber(name);
            case "zadd" -> zadd(command);
            case "zrange", "zrevrange" -> range(command);
            default ->
                ALIKE.contains(name) || (release.keepsMillis && STREAMS.contains(name))
                        ? new Forward(command)
                        : Translation.error("ERR unknown command \"" + name + "\"");
        };
    }

    /** From 3.5.0; takes 2 or 3, and answers with proto 2 as a flat array whatever was asked. */
    private static Translation hello(List<byte[]> command) {
        if (command.size() > 1 && !Set.of("2", "3").contains(word(command, 1))) {
            return Translation.error("ERR -NOPROTO unsupported protocol version");
        }
        for (int i = 2; i + 1 < command.size(); i += 2) {
            if (!word(command, i).equals("setname")) {
                return Translation.error("ERR Client sent AUTH, but no password is set");
            }
        }
        return new Answer(Resp.bytes("*8\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:2\r\n"
                + "$4\r\nmode\r\n$7\r\nclassic\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"));
    }

    private static Translation client(List<byte[]> command) {
        String what = command.size() > 1 ? word(command, 1) : "";
        return switch (what) {
            case "setname" ->
                command.size() == 3
                        ? new Answer(Resp.ok())
                        : Translation.error("ERR Unknown subcommand or wrong number of arguments for 'SETNAME'., try"
                                + " CLIENT SETNAME <name>");
            case "getname" -> new Answer(Resp.bulk(""));
            case "list" -> new Answer(Resp.bulk(""));
            default ->
                Translation.error("ERR Unknown subcommand or wrong number of arguments for '" + what
                        + "', try CLIENT (LIST | KILL ip:port | GETNAME | SETNAME)");
        };
    }

    /** Pairs of score and member only: an option is a syntax error, or not a float if the count happens to be even. */
    private static Translation zadd(List<byte[]> command) {
        if (command.size() < 4) {
            return Translation.wrongNumber("zadd");
        }
        if (command.size() % 2 == 1) {
            return Translation.syntaxError();
        }
        var first = new ArrayList<>(command.subList(0, 2));
        var members = new HashSet<String>();
        for (int i = 2; i < command.size(); i += 2) {
            try {
                Double.parseDouble(word(command, i));
            } catch (NumberFormatException e) {
                return Translation.error("ERR value is not a valid float");
            }
            // Redis lets the last of two equal members win, Pika the first.
            if (members.add(new String(command.get(i + 1), StandardCharsets.ISO_8859_1))) {
                first.addAll(command.subList(i, i + 2));
            }
        }
        return new Forward(first);
    }

    /** By rank only. */
    private static Translation range(List<byte[]> command) {
        boolean scores = command.size() == 5 && word(command, 4).equals("withscores");
        return command.size() == 4 || scores ? new Forward(command) : Translation.syntaxError();
    }

    private Translation psetex(List<byte[]> command) {
        return SetCommand.parse(
                List.of(Resp.bytes("set"), command.get(1), command.get(3), Resp.bytes("px"), command.get(2)), release);
    }

    private Translation pexpire(List<byte[]> command) {
        if (release.keepsMillis) {
            return new Forward(command);
        }
        String seconds = String.valueOf(Long.parseLong(word(command, 2)) / 1000);
        return new Forward(List.of(Resp.bytes("expire"), command.get(1), Resp.bytes(seconds)));
    }

    private Translation pttl(List<byte[]> command) {
        return release.keepsMillis ? new Forward(command) : SetCommand.wholeSecondsLeft(command.get(1));
    }

    static String word(List<byte[]> command, int index) {
        return Resp.text(command.get(index)).toLowerCase(Locale.ROOT);
    }
}
