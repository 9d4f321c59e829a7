package dev.soloist.sidecar.metrics;

/** What the probes say. None of it depends on Redis: an outage there must not stop a rollout or restart a pod. */
public interface Health {

    /** The localhost API listens: the app may start. */
    boolean started();

    /** Not on its way out. */
    boolean ready();
}
