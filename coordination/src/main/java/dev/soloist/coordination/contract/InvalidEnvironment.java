package dev.soloist.coordination.contract;

/** The environment cannot be read; the message names the variable and says what it should hold. */
public final class InvalidEnvironment extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidEnvironment(String message) {
        super(message);
    }
}
