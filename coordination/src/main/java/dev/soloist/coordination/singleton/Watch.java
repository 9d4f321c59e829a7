package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.InstanceId;

/** The answer to one look of a watchdog. */
public sealed interface Watch {
    /** In one word. */
    WatchVerdict verdict();

    /** Everything but an abandoned run. */
    record Seen(WatchVerdict verdict) implements Watch {}

    /**
     * A run was ended because its holder was silent.
     *
     * @param state of the job after it
     */
    record Abandoned(InstanceId owner, String pod, Fence fence, SingletonState state) implements Watch {
        @Override
        public WatchVerdict verdict() {
            return WatchVerdict.ABANDONED;
        }
    }
}
