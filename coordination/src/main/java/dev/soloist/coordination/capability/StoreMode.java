package dev.soloist.coordination.capability;

import java.util.Optional;

/** How a store is used. Immutable. */
public sealed interface StoreMode {

    /** All steps are scripts. */
    record Scripted() implements StoreMode {}

    /** All steps are compare-and-set. */
    record Cas() implements StoreMode {}

    /**
     * Not at all.
     *
     * @param sentence for people: what was found, and what to change
     */
    record Refused(RefusalReason reason, String sentence) implements StoreMode {}

    /** The mode of the data; empty when the store is refused. */
    default Optional<DataMode> data() {
        return switch (this) {
            case Scripted() -> Optional.of(DataMode.SCRIPTED);
            case Cas() -> Optional.of(DataMode.CAS);
            case Refused(var _, var _) -> Optional.empty();
        };
    }

    /** As status and metrics say it. */
    default String word() {
        return data().map(DataMode::word).orElse("Refused");
    }

    /** The use that goes with data of that mode. */
    static StoreMode of(DataMode data) {
        return switch (data) {
            case SCRIPTED -> new Scripted();
            case CAS -> new Cas();
        };
    }
}
