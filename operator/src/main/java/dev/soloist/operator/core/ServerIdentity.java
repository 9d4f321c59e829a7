package dev.soloist.operator.core;

import dev.soloist.coordination.link.RedisLink;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Tells one life of a Redis data set from the next. After a restart or a promotion the server may have lost
/// its newest writes, and both change `run_id` or `master_replid`. Read once per connection. Thread-safe.
final class ServerIdentity {

    private final RedisLink link;
    private final AtomicReference<@Nullable String> known = new AtomicReference<>();

    ServerIdentity(RedisLink link) {
        this.link = link;
        link.onConnected(() -> known.set(null));
    }

    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    String get() {
        var identity = known.get();
        if (identity == null) {
            identity = field("server", "run_id") + "." + field("replication", "master_replid");
            known.set(identity);
        }
        return identity;
    }

    private String field(String section, String name) {
        return link.info(section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .map(id -> id.substring(0, Math.min(12, id.length())))
                .findFirst()
                .orElse("unknown");
    }
}
