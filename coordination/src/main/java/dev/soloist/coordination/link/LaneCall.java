package dev.soloist.coordination.link;

import dev.soloist.coordination.durability.Acknowledged;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One script on its way through a lane. Used by one thread at a time; its outcome is read after the lane's lock. */
final class LaneCall {

    private final String sha;
    private final String text;
    private final Predicate<@Nullable Object> mustBeCopied;
    private final String[] keys;
    private final byte[][] arguments;
    private @Nullable RuntimeException failure;
    private @Nullable Object reply;
    private boolean enough;
    private boolean done;

    LaneCall(String sha, String text, Predicate<@Nullable Object> mustBeCopied, List<String> keys, byte[][] arguments) {
        this.sha = sha;
        this.text = text;
        this.mustBeCopied = mustBeCopied;
        this.keys = keys.toArray(String[]::new);
        this.arguments = arguments;
    }

    RedisFuture<Object> send(RedisAsyncCommands<String, byte[]> commands) {
        return commands.evalsha(sha, ScriptOutputType.MULTI, keys, arguments);
    }

    RedisFuture<Object> sendText(RedisAsyncCommands<String, byte[]> commands) {
        return commands.eval(text, ScriptOutputType.MULTI, keys, arguments);
    }

    /** The primary answered. Returns whether replicas have to be waited for. */
    boolean answered(@Nullable Object answer) {
        reply = answer;
        try {
            if (mustBeCopied.test(answer)) {
                return true;
            }
        } catch (RuntimeException unreadable) {
            failure = unreadable;
        }
        enough = true;
        done = true;
        return false;
    }

    void acknowledged(boolean byEnough) {
        enough = byEnough;
        done = true;
    }

    void failed(RuntimeException cause) {
        failure = cause;
        done = true;
    }

    boolean isDone() {
        return done;
    }

    Acknowledged<@Nullable Object> result() {
        if (failure != null) {
            throw failure;
        }
        return new Acknowledged<>(reply, enough);
    }
}
