package dev.soloist.coordination.link;

/** A server that answers, but not as the one that is wanted. */
final class WrongServer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongServer(String message) {
        super(message, null, false, false);
    }
}
