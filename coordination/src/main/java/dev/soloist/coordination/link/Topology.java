package dev.soloist.coordination.link;

import java.util.List;
import java.util.stream.Collectors;

/** How the servers of a store are arranged, and where to ask for them. Immutable. */
public sealed interface Topology {

    /** The servers that are asked first, in the given order. */
    List<HostAndPort> servers();

    /** One server, or a name behind which the primary is always found. */
    record Standalone(HostAndPort server) implements Topology {
        @Override
        public List<HostAndPort> servers() {
            return List.of(server);
        }
    }

    /**
     * A primary that Sentinels watch over and replace.
     *
     * @param servers the Sentinels, at least one
     * @param name under which they watch the primary
     * @param credentials who we are to the Sentinels
     */
    record Sentinel(List<HostAndPort> servers, String name, Credentials credentials) implements Topology {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException naming what is missing
         */
        public Sentinel {
            servers = atLeastOne(servers);
            if (name.isBlank()) {
                throw new IllegalArgumentException("the name under which the Sentinels watch the primary is empty");
            }
        }
    }

    /**
     * A Redis Cluster.
     *
     * @param servers some of its nodes, at least one
     */
    record Cluster(List<HostAndPort> servers) implements Topology {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if no node is named
         */
        public Cluster {
            servers = atLeastOne(servers);
        }
    }

    /** The servers as one text, with commas between them. */
    default String address() {
        return servers().stream().map(HostAndPort::toString).collect(Collectors.joining(","));
    }

    private static List<HostAndPort> atLeastOne(List<HostAndPort> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no Redis address is given");
        }
        return List.copyOf(servers);
    }
}
