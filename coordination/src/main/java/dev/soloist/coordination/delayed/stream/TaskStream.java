package dev.soloist.coordination.delayed.stream;

import dev.soloist.coordination.key.InstanceId;
import java.util.List;

/** What can be asked of a job's stream. Every call may be repeated. Thread-safe. */
public interface TaskStream {

    /** What it holds now. */
    StreamState state();

    /** Takes note that people were told of so many losses. */
    StreamState told(long losses);

    /**
     * Makes the tasks ready again that were handed out in the given time and handled, with their ids and payloads, due now. A
     * task whose id is in use is left alone. When no answer came, or the caller died, or was fenced, a part may have been made
     * ready: repeat it with the same request key.
     *
     * @param instance of the caller; must be registered and not fenced
     */
    Replay replay(InstanceId instance, ReplayRequest request);

    /** The streams of a job that has several, as one. */
    static TaskStream over(List<TaskStream> parts) {
        return new SeveralStreams(List.copyOf(parts));
    }
}
