package dev.soloist.sidecar.json;

/** The text is not the JSON that was asked for; the message is a sentence for the caller. */
public final class InvalidJson extends Exception {
    private static final long serialVersionUID = 1L;

    /** With a sentence for the caller. */
    public InvalidJson(String message) {
        super(message);
    }
}
