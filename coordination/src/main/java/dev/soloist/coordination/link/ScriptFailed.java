package dev.soloist.coordination.link;

/** A script raised an error that is not the server's condition: a fault of ours, or keys that were tampered with. */
public final class ScriptFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScriptFailed(String message, Throwable cause) {
        super(message, cause);
    }

    /** A script that was carried out by somebody else than the server raised this error. */
    public ScriptFailed(String message) {
        super(message);
    }
}
