package dev.soloist.coordination.testkit.pika;

import dev.soloist.coordination.testkit.pika.Translation.Forward;
import java.util.ArrayList;
import java.util.List;

/**
 * Pika's SET, and its own compare-and-set and compare-and-delete, which are played by scripts of the server behind: 1
 * done, 0 no such key, -1 another value. Pure.
 */
final class SetCommand {

    private static final String COMPARE_AND_SET = """
            local was = redis.call('GET', KEYS[1])
            if not was then return 0 end
            if was ~= ARGV[1] then return -1 end
            if ARGV[3] == '0' then redis.call('SET', KEYS[1], ARGV[2])
            else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
            return 1
            """;

    private static final String COMPARE_AND_DELETE = """
            local was = redis.call('GET', KEYS[1])
            if not was then return 0 end
            if was ~= ARGV[1] then return -1 end
            redis.call('DEL', KEYS[1])
            return 1
            """;

    private static final String WHOLE_SECONDS = """
            local left = redis.call('TTL', KEYS[1])
            return left < 0 and left or left * 1000
            """;

    private SetCommand() {}

    static Translation parse(List<byte[]> command, PikaRelease release) {
        boolean exists = false;
        boolean absent = false;
        byte[] expected = null;
        long millis = 0;
        for (int i = 3; i < command.size(); i++) {
            String option = PikaDialect.word(command, i);
            switch (option) {
                case "nx" -> absent = true;
                case "xx" -> exists = true;
                case "vx" -> {
                    if (++i == command.size()) {
                        return Translation.syntaxError();
                    }
                    expected = command.get(i);
                }
                case "ex", "px" -> {
                    if (++i == command.size()) {
                        return Translation.syntaxError();
                    }
                    try {
                        long given = Long.parseLong(PikaDialect.word(command, i));
                        millis = option.equals("ex") ? given * 1000 : release.keepsMillis ? given : given / 1000 * 1000;
                    } catch (NumberFormatException e) {
                        return Translation.error("ERR value is not an integer or out of range");
                    }
                }
                default -> {
                    return Translation.syntaxError();
                }
            }
        }
        byte[] left = Resp.bytes(String.valueOf(Math.max(0, millis)));
        if (expected != null) {
            return script(COMPARE_AND_SET, command.get(1), expected, command.get(2), left);
        }
        var plain = new ArrayList<>(command.subList(0, 3));
        if (millis > 0) {
            plain.add(Resp.bytes("px"));
            plain.add(left);
        }
        if (absent || exists) {
            plain.add(Resp.bytes(absent ? "nx" : "xx"));
        }
        return new Forward(plain);
    }

    static Translation delete(List<byte[]> command) {
        return script(COMPARE_AND_DELETE, command.get(1), command.get(2));
    }

    static Translation wholeSecondsLeft(byte[] key) {
        return script(WHOLE_SECONDS, key);
    }

    private static Forward script(String text, byte[] key, byte[]... arguments) {
        var command = new ArrayList<>(List.of(Resp.bytes("eval"), Resp.bytes(text), Resp.bytes("1"), key));
        command.addAll(List.of(arguments));
        return new Forward(command);
    }
}
