package dev.soloist.coordination.link;

import java.util.List;
import java.util.Map;

/**
 * What came of sending one command to every server. Immutable.
 *
 * @param replies of the servers that did it
 * @param failures of those that did not or may not have: {@link RedisUnavailable} or {@link ScriptFailed}
 */
public record Answers(Map<HostAndPort, List<Object>> replies, Map<HostAndPort, RuntimeException> failures) {

    /** Keeps copies. */
    public Answers {
        replies = Map.copyOf(replies);
        failures = Map.copyOf(failures);
    }

    /**
     * The replies, if all servers answered.
     *
     * @throws RedisUnavailable or {@link ScriptFailed}: what the first that failed said
     */
    public Map<HostAndPort, List<Object>> orThrow() {
        for (RuntimeException failure : failures.values()) {
            throw failure;
        }
        return replies;
    }
}
