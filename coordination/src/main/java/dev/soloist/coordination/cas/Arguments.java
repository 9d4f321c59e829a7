package dev.soloist.coordination.cas;

import java.util.List;

/** Arguments of commands, read as the server reads them. Pure. */
final class Arguments {

    private Arguments() {}

    static long integer(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new CommandFailed("ERR value is not an integer or out of range");
        }
    }

    static double score(String text) {
        try {
            return switch (text) {
                case "-inf" -> Double.NEGATIVE_INFINITY;
                case "+inf" -> Double.POSITIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException e) {
            throw new CommandFailed("ERR value is not a valid float");
        }
    }

    /** A score as the server writes it: an integer without a point, anything else with 17 digits at most. */
    static String text(double score) {
        return Numbers.format(score, 17);
    }

    static void exactly(int count, List<String> arguments) {
        if (arguments.size() != count) {
            throw CommandFailed.syntax();
        }
    }

    /** The part of a list that lies between two positions, which may count from the end. */
    static <T> List<T> range(List<T> list, String first, String last) {
        long from = integer(first);
        long to = integer(last);
        int size = list.size();
        from = Math.max(0, from < 0 ? from + size : from);
        to = Math.min(size - 1L, to < 0 ? to + size : to);
        return from > to ? List.of() : list.subList((int) from, (int) to + 1);
    }
}
