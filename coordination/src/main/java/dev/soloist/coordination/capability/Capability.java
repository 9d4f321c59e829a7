package dev.soloist.coordination.capability;

/** One thing that a server may be able to do. The words are the label of a metric. */
public enum Capability {
    /** It runs scripts for us. */
    SCRIPTS("scripts"),
    /** A script may ask for the time and write afterwards: false before Redis 5. */
    SCRIPT_TIME("scriptTime"),
    /** An expiry in milliseconds is kept as such. */
    MILLISECOND_EXPIRY("millisecondExpiry"),
    /** {@code SET NX} refuses a key that exists. */
    SET_NX("setNx"),
    /** {@code ZADD NX} leaves the score of a member that exists. */
    ZADD_NX("zaddNx"),
    /** {@code SET NX EX} sets an expiry that is there afterwards. */
    SECOND_EXPIRY("secondExpiry"),
    /** {@code SET VX} and {@code DELVX}: Pika's compare-and-set. */
    PIKA_CAS("pikaCas"),
    /** {@code SET IFEQ} and {@code DELIFEQ}: Valkey's compare-and-set. */
    NATIVE_CAS("nativeCas"),
    /** {@code LMOVE}. */
    LMOVE("lmove"),
    /** {@code RPOPLPUSH}. */
    RPOPLPUSH("rpoplpush"),
    /** Streams with consumer groups. */
    STREAM_GROUPS("streamGroups"),
    /** {@code WAIT}. */
    WAIT("wait"),
    /** A name has one type only: false on Pika 3. */
    ONE_TYPE_PER_NAME("oneTypePerName"),
    /** It says that it evicts nothing. */
    EVICTS_NOTHING("evictsNothing"),
    /** It is the primary. */
    PRIMARY("primary");

    private final String word;

    Capability(String word) {
        this.word = word;
    }

    /** The stable word. */
    public String word() {
        return word;
    }
}
