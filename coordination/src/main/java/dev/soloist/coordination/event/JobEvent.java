package dev.soloist.coordination.event;

/**
 * An event of a job and where it stands.
 *
 * @param log the number of the log; 0 for a job that has one
 */
public record JobEvent(int log, LoggedEvent event) {

    /** The point behind it in its log. */
    public String id() {
        return log == 0 ? event.id().toString() : log + ":" + event.id();
    }
}
