package dev.soloist.coordination.capability;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.Topology;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Keys that lead to each primary of a store: in a Cluster one for each range of slots, else one. A key that names no slot
 * of its own, as all of one namespace, leads to one primary only.
 */
final class Routes {

    /** Enough to meet a range of a hundredth of all slots with near certainty; what is missed is met at the next look. */
    private static final int TRIES = 2000;

    private final RedisLink link;

    Routes(RedisLink link) {
        this.link = link;
    }

    /** @param key makes the name of a key from a random text */
    List<String> by(UnaryOperator<String> key) {
        String first = key.apply(Nonce.create().value());
        String second = key.apply(Nonce.create().value());
        if (!(link.topology() instanceof Topology.Cluster) || SlotHash.getSlot(first) == SlotHash.getSlot(second)) {
            return List.of(first);
        }
        List<Long> firstSlots = ranges();
        var found = new String[firstSlots.size()];
        for (int tried = 0; tried < TRIES && Stream.of(found).anyMatch(name -> name == null); tried++) {
            String name = key.apply(Nonce.create().value());
            int range = rangeOf(firstSlots, SlotHash.getSlot(name));
            if (range >= 0) {
                found[range] = name;
            }
        }
        List<String> routes =
                new ArrayList<>(Stream.of(found).filter(name -> name != null).toList());
        return routes.isEmpty() ? List.of(first) : routes;
    }

    /** The first slot of each range, rising. */
    private List<Long> ranges() {
        return link.call("CLUSTER", "SLOTS").stream()
                .map(range -> (Long) ((List<?>) range).getFirst())
                .sorted()
                .toList();
    }

    private static int rangeOf(List<Long> firstSlots, int slot) {
        int range = -1;
        while (range + 1 < firstSlots.size() && firstSlots.get(range + 1) <= slot) {
            range++;
        }
        return range;
    }
}
