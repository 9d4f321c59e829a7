package dev.soloist.sidecar.history;

/** How many of each there are. */
record SoakSize(int pods, int jobs, int queues) {}
