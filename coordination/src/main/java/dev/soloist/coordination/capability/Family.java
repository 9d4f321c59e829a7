package dev.soloist.coordination.capability;

/** Whose server it says it is. Nothing is decided by it but what to tell people. */
public enum Family {
    REDIS("redis"),
    VALKEY("valkey"),
    PIKA("pika"),
    UNKNOWN("unknown");

    private final String word;

    Family(String word) {
        this.word = word;
    }

    /** In lower case. */
    public String word() {
        return word;
    }
}
