package dev.soloist.coordination.cas;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param reply as {@link dev.soloist.coordination.script.ScriptEngine} promises it
 * @param messages to be sent once the writes stand
 */
record Outcome(@Nullable Object reply, List<Message> messages) {

    /** A hint on a channel. */
    record Message(String channel, String text) {}
}
