package dev.soloist.sidecar.history;

/**
 * One line of the schedule.
 *
 * @param at ms after the beginning
 * @param target number of the pod, job or queue
 * @param amount ms that it lasts, or how many
 */
record SoakStep(long at, Kind kind, int target, int amount) {

    /** What it is done to. */
    enum On {
        POD,
        JOB,
        QUEUE,
        REDIS
    }

    /** What is done; the weight says how often it comes beside the others. */
    enum Kind {
        KILL(On.POD, 4, 300, 2500),
        FREEZE(On.POD, 4, 3500, 5000),
        CUT(On.POD, 6, 200, 7000),
        DELAY(On.POD, 3, 500, 2000),
        DROP_REPLIES(On.POD, 5, 50, 1500),
        DROP_REQUESTS(On.POD, 4, 200, 3000),
        CLOCK(On.POD, 3, -3_600_000, 3_600_000),
        APP_SLOW(On.POD, 5, 2000, 6000),
        APP_FAILS(On.POD, 3, 300, 1500),
        APP_HANGS(On.POD, 2, 1000, 3000),
        APP_DIES(On.POD, 3, 300, 2000),
        SCRIPT_FLUSH(On.REDIS, 4, 0, 0),
        RESTART(On.REDIS, 1, 100, 1500),
        TRIGGER(On.JOB, 6, 0, 0),
        SUSPEND(On.JOB, 3, 300, 2000),
        UPDATE(On.JOB, 3, 0, 0),
        DELETE(On.JOB, 2, 0, 0),
        ENQUEUE(On.QUEUE, 45, 5, 40),
        CANCEL(On.QUEUE, 6, 1, 5),
        POSTPONE(On.QUEUE, 6, 1, 5),
        /** Never by chance: where the plan says. */
        FAILOVER(On.REDIS, 0, 0, 0);

        final On on;
        final int weight;
        final int least;
        final int most;

        Kind(On on, int weight, int least, int most) {
            this.on = on;
            this.weight = weight;
            this.least = least;
            this.most = most;
        }
    }

    @Override
    public String toString() {
        return "%8.3f s  %-14s %-6s %d".formatted(at / 1000.0, kind, target, amount);
    }
}
