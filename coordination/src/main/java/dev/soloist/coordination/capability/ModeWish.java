package dev.soloist.coordination.capability;

import java.util.Optional;

/**
 * Which modes will do. Immutable.
 *
 * @param least the least that is accepted
 * @param only the one that the data were made in, where somebody has said so
 */
public record ModeWish(DataMode least, Optional<DataMode> only) {

    /** Scripts and nothing else. */
    public static final ModeWish SCRIPTED = atLeast(DataMode.SCRIPTED);

    /** That mode or a better one. */
    public static ModeWish atLeast(DataMode least) {
        return new ModeWish(least, Optional.empty());
    }

    /** Exactly that mode. */
    public static ModeWish only(DataMode mode) {
        return new ModeWish(mode, Optional.of(mode));
    }
}
