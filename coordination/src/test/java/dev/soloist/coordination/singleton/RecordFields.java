package dev.soloist.coordination.singleton;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Every field that a singleton job's record can have, and what becomes of it when the job moves to another back end. */
final class RecordFields {

    /** What becomes of a field. */
    enum Fate {
        /** It says the same in the new place. */
        CARRIED,
        /** It goes on from there: never lower than in either place. */
        RISES,
        /** The new place sets it anew. */
        REBUILT,
        /** Only a run in progress has it; a job does not move before its run has ended. */
        OF_A_RUN,
        /** It tells of the move itself, which is over. */
        OF_THE_MOVE
    }

    static final Map<String, Fate> ALL = Map.ofEntries(
            // The job: the state is DELAYED again, or PAUSED if somebody wished it.
            Map.entry("st", Fate.REBUILT),
            Map.entry("uid", Fate.REBUILT),
            Map.entry("gen", Fate.RISES),
            Map.entry("term", Fate.RISES),
            Map.entry("fence", Fate.RISES),
            // Its plan: the slot, the hold, the cooldown, the attempts made, who asked for it.
            Map.entry("due", Fate.CARRIED),
            Map.entry("nb", Fate.CARRIED),
            Map.entry("cool", Fate.CARRIED),
            Map.entry("slot", Fate.CARRIED),
            Map.entry("att", Fate.CARRIED),
            Map.entry("pend", Fate.CARRIED),
            Map.entry("hand", Fate.CARRIED),
            Map.entry("asked", Fate.CARRIED),
            Map.entry("askedAt", Fate.CARRIED),
            // The specification, as the plan knows it: a changed schedule is told afterwards, as ever.
            Map.entry("rev", Fate.CARRIED),
            Map.entry("sched", Fate.CARRIED),
            // What was.
            Map.entry("runs", Fate.CARRIED),
            Map.entry("fails", Fate.CARRIED),
            Map.entry("misses", Fate.CARRIED),
            Map.entry("lastFence", Fate.CARRIED),
            Map.entry("lastRun", Fate.CARRIED),
            Map.entry("lastStart", Fate.CARRIED),
            Map.entry("lastEnd", Fate.CARRIED),
            Map.entry("lastPod", Fate.CARRIED),
            Map.entry("lastResult", Fate.CARRIED),
            Map.entry("lastSuccess", Fate.CARRIED),
            Map.entry("late", Fate.CARRIED),
            Map.entry("spent", Fate.CARRIED),
            Map.entry("noack", Fate.CARRIED),
            // The run in progress.
            Map.entry("owner", Fate.OF_A_RUN),
            Map.entry("nonce", Fate.OF_A_RUN),
            Map.entry("pod", Fate.OF_A_RUN),
            Map.entry("rterm", Fate.OF_A_RUN),
            Map.entry("lu", Fate.OF_A_RUN),
            Map.entry("startedAt", Fate.OF_A_RUN),
            Map.entry("cancel", Fate.OF_A_RUN),
            Map.entry("trig", Fate.OF_A_RUN),
            Map.entry("paused", Fate.OF_A_RUN),
            Map.entry("del", Fate.OF_A_RUN),
            Map.entry("leaving", Fate.OF_THE_MOVE),
            Map.entry("moved", Fate.OF_THE_MOVE));

    private RecordFields() {}

    static Set<String> of(Fate fate) {
        return ALL.entrySet().stream()
                .filter(field -> field.getValue() == fate)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
