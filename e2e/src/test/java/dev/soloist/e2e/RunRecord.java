package dev.soloist.e2e;

/**
 * What the recorder wrote about one moment of a run.
 *
 * @param event start, done, stopped (told to) or cut (its process died)
 * @param at seconds by the recorder's clock
 */
record RunRecord(
        String event, double at, String pod, String job, String run, String fence, int attempt, String scheduledAt) {

    boolean isStart() {
        return event.equals("start");
    }
}
