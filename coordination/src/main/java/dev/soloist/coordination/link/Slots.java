package dev.soloist.coordination.link;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Who serves which slots of a Cluster, as one node told it. Immutable. */
final class Slots {

    /** Nobody serves anything. */
    static final Slots NONE = new Slots(new int[0], List.of(), Set.of());

    private final int[] owners;
    private final List<HostAndPort> primaries;
    private final Set<HostAndPort> replicas;

    private Slots(int[] owners, List<HostAndPort> primaries, Set<HostAndPort> replicas) {
        this.owners = owners;
        this.primaries = primaries;
        this.replicas = replicas;
    }

    /**
     * Reads a reply to CLUSTER SLOTS: {@code [first slot, last slot, [host, port, id, ..] of the primary, the same of each
     * replica ..]}, see https://valkey.io/commands/cluster-slots/ .
     *
     * @param asked the node that answered: its host is that of nodes without one
     */
    static Slots read(List<Object> reply, HostAndPort asked) {
        var owners = new int[SlotHash.SLOT_COUNT];
        Arrays.fill(owners, -1);
        var primaries = new ArrayList<HostAndPort>();
        var replicas = new LinkedHashSet<HostAndPort>();
        for (Object element : reply) {
            if (!(element instanceof List<?> range) || range.size() < 3) {
                continue;
            }
            HostAndPort primary = node(range.get(2), asked);
            if (primary == null) {
                continue;
            }
            if (!primaries.contains(primary)) {
                primaries.add(primary);
            }
            int last = (int) Replies.number(range.get(1));
            Arrays.fill(owners, (int) Replies.number(range.get(0)), last + 1, primaries.indexOf(primary));
            for (Object replica : range.subList(3, range.size())) {
                HostAndPort node = node(replica, asked);
                if (node != null) {
                    replicas.add(node);
                }
            }
        }
        return new Slots(owners, List.copyOf(primaries), Set.copyOf(replicas));
    }

    /** The slot of a key: only the text between the first braces counts. */
    static int slot(String key) {
        return SlotHash.getSlot(key);
    }

    /** Who serves the slot, or null if nobody does. */
    @Nullable
    HostAndPort owner(int slot) {
        return owners.length == 0 || owners[slot] < 0 ? null : primaries.get(owners[slot]);
    }

    /** All that serve slots. */
    List<HostAndPort> primaries() {
        return primaries;
    }

    /** Their replicas. */
    Set<HostAndPort> replicas() {
        return replicas;
    }

    /** Whether every slot is served by the same as there. What replicas there are, nodes need not agree on. */
    boolean servesAlike(Slots other) {
        return Set.copyOf(primaries).equals(Set.copyOf(other.primaries))
                && IntStream.range(0, SlotHash.SLOT_COUNT)
                        .allMatch(slot -> Objects.equals(owner(slot), other.owner(slot)));
    }

    private static @Nullable HostAndPort node(Object fields, HostAndPort asked) {
        if (!(fields instanceof List<?> node) || node.size() < 2) {
            return null;
        }
        String host = node.getFirst() == null ? "" : Replies.text(node.getFirst());
        int port = (int) Replies.number(node.get(1));
        // A node that has not learned its own address yet, or one that is told to keep it to itself.
        return new HostAndPort(host.isEmpty() || host.equals("?") ? asked.host() : host, port);
    }
}
