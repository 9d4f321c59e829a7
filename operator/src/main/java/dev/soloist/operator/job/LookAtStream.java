package dev.soloist.operator.job;

import dev.soloist.coordination.delayed.stream.StreamState;
import dev.soloist.operator.core.StreamLosses;
import dev.soloist.operator.events.Note;

/// Tells people when a job's stream was lost.
final class LookAtStream implements Step {

    private final StreamLosses losses;

    LookAtStream(StreamLosses losses) {
        this.losses = losses;
    }

    @Override
    public Next run(Pass pass) {
        losses.look(pass.definition(), pass.layout).ifPresent(state -> pass.notes.add(note(state)));
        return Next.GO_ON;
    }

    private static Note note(StreamState state) {
        return Note.warning(
                "StreamLost",
                "the job's stream or its consumer group was removed and has been made anew, for the " + state.losses()
                        + ". time; no task is lost, but what was handled before " + state.lastLoss()
                        + " cannot be replayed any more");
    }
}
