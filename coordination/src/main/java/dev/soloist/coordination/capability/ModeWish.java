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

    /** By the word that the operator's Secret says; without one, or with one that is none, scripts are asked for. */
    public static ModeWish minimum(Optional<String> word) {
        return atLeast(word.flatMap(DataMode::of).orElse(DataMode.SCRIPTED));
    }

    /** By the word that a namespace's Secret says of the data; without one they were made by scripts. */
    public static ModeWish made(Optional<String> word) {
        return only(word.flatMap(DataMode::of).orElse(DataMode.SCRIPTED));
    }

    /** Exactly that mode. */
    public static ModeWish only(DataMode mode) {
        return new ModeWish(mode, Optional.of(mode));
    }
}
