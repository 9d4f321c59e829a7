package dev.soloist.coordination.link;

import java.util.List;

/** Decides which server a connection is made to, at each attempt anew. */
interface Aim {

    /**
     * The server to dial now.
     *
     * @throws RuntimeException if nobody can tell; the message says why
     */
    HostAndPort server();

    /**
     * Looks whether a connection leads where it should; called after each connect and from time to time.
     *
     * @throws WrongServer if it does not
     */
    void verify(Courier courier);

    /** Other servers that may take the place of the one at the other end, as far as they are known. */
    List<HostAndPort> deputies(Courier courier);

    /** Always the same server, whatever its role. */
    record Fixed(HostAndPort server) implements Aim {
        @Override
        public void verify(Courier courier) {}

        @Override
        public List<HostAndPort> deputies(Courier courier) {
            return List.of();
        }
    }
}
