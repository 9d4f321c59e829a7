package dev.soloist.coordination.capability;

/** Who says by which mode a store is used. */
@FunctionalInterface
public interface Judge {

    /**
     * Looks, and says.
     *
     * @param former the verdict of before; what cannot have changed since need not be tried again
     * @throws dev.soloist.coordination.link.RedisUnavailable if the server does not answer; the former verdict stands
     */
    Verdict judge(Verdict former);
}
