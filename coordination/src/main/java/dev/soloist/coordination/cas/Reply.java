package dev.soloist.coordination.cas;

import java.util.List;

/** A command's answer as the server would send it. */
sealed interface Reply {

    /** Neither text nor number; {@code false} in Lua. */
    record Nil() implements Reply {}

    record Integral(long value) implements Reply {}

    /** One character per byte. */
    record Text(String content) implements Reply {}

    record Status(String word) implements Reply {}

    record Array(List<Reply> elements) implements Reply {}

    Reply NIL = new Nil();
    Reply OK = new Status("OK");

    static Reply of(boolean yes) {
        return new Integral(yes ? 1 : 0);
    }

    static Reply of(long number) {
        return new Integral(number);
    }

    static Reply texts(List<String> texts) {
        return new Array(texts.stream().map(text -> (Reply) new Text(text)).toList());
    }
}
