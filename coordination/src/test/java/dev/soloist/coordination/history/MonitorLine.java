package dev.soloist.coordination.history;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of MONITOR: {@code 1700000000.123456 [0 127.0.0.1:60866] "HSET" "key" ..}.
 *
 * @param at when the server began the command, in microseconds
 * @param byScript whether a script sent the command
 * @param words the command and its arguments
 */
record MonitorLine(long at, boolean byScript, List<String> words) {

    static MonitorLine parse(String line) {
        int space = line.indexOf(' ');
        String time = line.substring(0, space);
        int dot = time.indexOf('.');
        long at = Long.parseLong(time.substring(0, dot)) * 1_000_000 + Long.parseLong(time.substring(dot + 1));
        int close = line.indexOf(']', space);
        boolean byScript = line.substring(space, close).endsWith(" lua");
        return new MonitorLine(at, byScript, words(line, close + 1));
    }

    private static List<String> words(String line, int from) {
        var words = new ArrayList<String>();
        int i = line.indexOf('"', from);
        while (i >= 0) {
            var word = new ByteArrayOutputStream();
            i++;
            while (line.charAt(i) != '"') {
                if (line.charAt(i) == '\\') {
                    i = escaped(line, i + 1, word);
                } else {
                    word.write(line.charAt(i));
                    i++;
                }
            }
            words.add(word.toString(StandardCharsets.UTF_8));
            i = line.indexOf('"', i + 1);
        }
        return words;
    }

    private static int escaped(String line, int i, ByteArrayOutputStream word) {
        switch (line.charAt(i)) {
            case 'x' -> {
                word.write(Integer.parseInt(line.substring(i + 1, i + 3), 16));
                return i + 3;
            }
            case 'n' -> word.write('\n');
            case 'r' -> word.write('\r');
            case 't' -> word.write('\t');
            case 'a' -> word.write(7);
            case 'b' -> word.write('\b');
            default -> word.write(line.charAt(i));
        }
        return i + 1;
    }
}
