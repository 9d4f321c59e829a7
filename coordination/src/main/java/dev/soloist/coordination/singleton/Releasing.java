package dev.soloist.coordination.singleton;

/** What giving a lease back did. */
public sealed interface Releasing {
    /** The lease was ours and is free; the same slot may be claimed at once, unless the job was suspended or deleted. */
    record Released(SingletonState state) implements Releasing {}

    /** We held nothing. A claim with this nonce that is still on its way cannot win any more. */
    record SpentOnly() implements Releasing {}
}
