package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.shard.Members;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Who we are in each shard by one layout, while one call is made. Thread-safe. */
final class Caller implements Members {

    private final Shards shards;
    private final long epoch;
    private final Map<Integer, InstanceId> used = new ConcurrentHashMap<>();

    Caller(Shards shards, Route route) {
        this.shards = shards;
        this.epoch = route.layout().epoch();
    }

    @Override
    public InstanceId in(int shard) {
        var known = used.get(shard);
        if (known == null) {
            // May wait for the server of this shard, which must not keep those who ask for another.
            known = shards.worker(shard).membership().require(epoch);
            used.put(shard, known);
        }
        return known;
    }

    /** It was said of one of these shards. */
    void fenced(List<Integer> homes) {
        for (int home : homes) {
            var instance = used.remove(home);
            if (instance != null && homes.size() == 1) {
                shards.worker(home).membership().fenced(instance);
            } else if (instance != null) {
                shards.worker(home).membership().verify(instance);
            }
        }
    }
}
