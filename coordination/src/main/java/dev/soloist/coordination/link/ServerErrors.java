package dev.soloist.coordination.link;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Sorts what the client and the server say when something goes wrong. Pure. */
final class ServerErrors {

    /** Said by a server that is not the primary any more: only another connection can help. */
    private static final List<String> WRONG_SERVER = List.of("READONLY", "MASTERDOWN");

    private static final List<String> FOR_NOW = List.of(
            "LOADING", "BUSY", "MISCONF", "NOREPLICAS", "TRYAGAIN", "CLUSTERDOWN", "UNKILLABLE", "MOVED", "ASK");

    private static final List<String> FORBIDDEN = List.of("NOAUTH", "WRONGPASS", "NOPERM");

    private ServerErrors() {}

    static RuntimeException sort(Throwable error) {
        String message = String.valueOf(error.getMessage());
        return switch (error) {
            case RedisCommandTimeoutException e ->
                new RedisUnavailable(RedisUnavailable.Kind.TIMEOUT, "Redis did not answer in time", e);
            case TimeoutException e ->
                new RedisUnavailable(RedisUnavailable.Kind.TIMEOUT, "Redis did not answer in time", e);
            case RedisCommandExecutionException e -> sortReply(message, e);
            case RedisException e ->
                new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis is not reachable: " + message, e);
            default ->
                new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis is not reachable: " + message, error);
        };
    }

    /** Whether this connection will never be of use again. */
    static boolean meansWrongServer(Throwable error) {
        return error instanceof RedisCommandExecutionException
                && says(String.valueOf(error.getMessage()), WRONG_SERVER);
    }

    private static RuntimeException sortReply(String message, RedisCommandExecutionException error) {
        if (message.contains("OOM command not allowed")) {
            return new RedisUnavailable(RedisUnavailable.Kind.FULL, "Redis is out of memory: " + message, error);
        }
        if (says(message, FORBIDDEN)) {
            return new RedisUnavailable(RedisUnavailable.Kind.FORBIDDEN, "Redis refuses us: " + message, error);
        }
        if (says(message, WRONG_SERVER) || says(message, FOR_NOW)) {
            return new RedisUnavailable(RedisUnavailable.Kind.REFUSED, "Redis refuses for now: " + message, error);
        }
        return new ScriptFailed(message, error);
    }

    /** An error code leads the message, or, inside a script on servers before 7.0, follows a dash. */
    private static boolean says(String message, List<String> codes) {
        return codes.stream().anyMatch(code -> message.startsWith(code + " ") || message.contains("-" + code + " "));
    }
}
