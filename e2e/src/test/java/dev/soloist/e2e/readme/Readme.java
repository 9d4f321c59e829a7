package dev.soloist.e2e.readme;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A README's commands in their order. A command is what stands together in a shell block: it ends with what it prints, given as
 * comments behind it, with an empty line or with the block.
 *
 * @param commands all of them
 * @param variables what they set for those behind them
 */
public record Readme(List<Command> commands, List<String> variables) {

    /**
     * Lines that are entered together.
     *
     * @param block the number of the block in which they stand
     * @param text the lines
     * @param printed what they are said to print; empty if nothing is said
     */
    public record Command(int block, String text, String printed) {}

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:sh|bash)\\n(.*?)^```$");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^([a-z]+)=");

    /** Reads Markdown. */
    public static Readme of(String markdown) {
        var commands = new ArrayList<Command>();
        var blocks = BLOCK.matcher(markdown);
        for (int number = 1; blocks.find(); number++) {
            read(number, blocks.group(1), commands);
        }
        var variables = new TreeSet<String>();
        for (var command : commands) {
            var names = VARIABLE.matcher(command.text());
            while (names.find()) {
                variables.add(names.group(1));
            }
        }
        return new Readme(List.copyOf(commands), List.copyOf(variables));
    }

    private static void read(int block, String lines, List<Command> into) {
        var text = new StringBuilder();
        var printed = new StringBuilder();
        for (var line : lines.split("\n", -1)) {
            boolean comment = line.startsWith("#");
            if (!comment && (line.isBlank() || !printed.isEmpty())) {
                end(block, text, printed, into);
            }
            (comment ? printed : text)
                    .append(comment ? line.replaceFirst("^# ?", "") : line)
                    .append('\n');
        }
        end(block, text, printed, into);
    }

    private static void end(int block, StringBuilder text, StringBuilder printed, List<Command> into) {
        if (!text.toString().isBlank()) {
            into.add(new Command(
                    block, text.toString().strip(), printed.toString().strip()));
        }
        text.setLength(0);
        printed.setLength(0);
    }
}
