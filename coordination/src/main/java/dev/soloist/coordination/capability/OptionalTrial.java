package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import java.util.Map;

/**
 * Tries what is only to be shown: each command is sent where it has nothing to do, so that it is known or not known without
 * a key being made. Blocking commands and transactions are not tried: they would hold or change a connection that others
 * use, and nothing here relies on them.
 */
final class OptionalTrial {

    private final RedisLink link;

    OptionalTrial(RedisLink link) {
        this.link = link;
    }

    void run(String key, Map<Capability, Finding> found) {
        found.put(Capability.LMOVE, known("LMOVE", key + ":a", key + ":a", "LEFT", "LEFT"));
        found.put(Capability.RPOPLPUSH, known("RPOPLPUSH", key + ":a", key + ":a"));
        found.put(Capability.STREAM_GROUPS, known("XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", key, ">"));
        found.put(Capability.WAIT, known("WAIT", "0", "1"));
    }

    /** A complaint about what the command was given shows that the server knows it. */
    private Finding known(String command, String... arguments) {
        Finding answer = Trial.of(() -> {
            link.call(command, arguments);
            return Finding.YES;
        });
        return answer.state() == Finding.State.NO ? Finding.YES : answer;
    }
}
