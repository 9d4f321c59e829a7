package dev.soloist.coordination.broadcast;

import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.Topology;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The broadcasts of one job, on any kind of server. One message each, sent once: a broadcast is heard by the listeners that the
 * servers know at that moment, or by nobody. In a Cluster the nodes pass it on to each other. Thread-safe.
 */
public final class Broadcasts {

    private final StoreGate gate;
    private final RedisLink link;
    private final String channel;

    /** The broadcasts on a channel. */
    public Broadcasts(StoreGate gate, RedisLink link, String channel) {
        this.gate = gate;
        this.link = link;
        this.channel = channel;
    }

    /**
     * Sends one broadcast, once.
     *
     * @return how many connections listened at the server that took it; empty in a Cluster, where no node knows of all
     * @throws dev.soloist.coordination.link.RedisUnavailable if no answer came; it may have been sent all the same
     */
    public OptionalLong send(Broadcast broadcast) {
        gate.require();
        var heard = link.call("PUBLISH", channel, BroadcastJson.write(broadcast));
        boolean known = !(link.topology() instanceof Topology.Cluster) && heard.getFirst() instanceof Long;
        return known ? OptionalLong.of((Long) heard.getFirst()) : OptionalLong.empty();
    }

    /**
     * Listens from now on. What is sent while the connection is down, or before the server knows of this listener, is not heard;
     * one broadcast may be heard twice while a connection is being replaced.
     *
     * @param listener called on a client thread, so it must only put the broadcast aside; with an empty argument for a message
     *     that is no broadcast
     * @return closing it ends the listening
     */
    public AutoCloseable listen(Consumer<Optional<Broadcast>> listener) {
        return link.subscribe(channel, message -> {
            if (!message.isEmpty()) {
                listener.accept(BroadcastJson.read(message));
            }
        });
    }
}
