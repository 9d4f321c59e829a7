package dev.soloist.coordination.delayed;

/**
 * Proof of one reservation of one task. It is void from the moment the task is reserved again or taken back. Immutable.
 *
 * @param value the reservation's nonce, a colon, and the place in its batch
 */
public record Receipt(String value) {

    @Override
    public String toString() {
        return value;
    }
}
