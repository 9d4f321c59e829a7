package dev.soloist.coordination.testkit.pika;

import java.util.List;

/** What becomes of a command: an answer at once, or a command for the real server behind. */
sealed interface Translation {

    /** Answered here. */
    record Answer(byte[] reply) implements Translation {}

    /** To be done by the server behind, whose reply is Pika's. */
    record Forward(List<byte[]> command) implements Translation {}

    static Translation error(String text) {
        return new Answer(Resp.error(text));
    }

    static Translation syntaxError() {
        return error("ERR syntax error");
    }

    static Translation wrongNumber(String name) {
        return error("ERR wrong number of arguments for '" + name + "' command");
    }
}
