package dev.soloist.operator.injection;

import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.crds.Annotations;

/// What one pod asks of its sidecar, read from its annotations with the defaults filled in.
record SidecarOptions(
        String image, String cpu, String memory, String logLevel, int apiPort, int metricsPort, Placement placement) {

    static final String DEFAULT_CPU = "20m";
    static final String DEFAULT_MEMORY = "128Mi";
    static final String DEFAULT_LOG_LEVEL = "INFO";

    /// Where the sidecar stands in the pod.
    enum Placement {
        /// First init container with `restartPolicy: Always`: starts before the app, ends after it, never holds up a
        /// Job.
        NATIVE,
        /// One more container, for clusters older than native sidecars.
        ORDINARY
    }

    static SidecarOptions read(AnnotationReader annotations, InjectionSettings settings) {
        return new SidecarOptions(
                annotations.image(Annotations.SIDECAR_IMAGE, settings.sidecarImage()),
                annotations.quantity(Annotations.SIDECAR_CPU, DEFAULT_CPU),
                annotations.quantity(Annotations.SIDECAR_MEMORY, DEFAULT_MEMORY),
                annotations.logLevel(Annotations.SIDECAR_LOG_LEVEL, DEFAULT_LOG_LEVEL),
                annotations.port(Annotations.API_PORT, SidecarEnvironment.DEFAULT_API_PORT),
                annotations.port(Annotations.METRICS_PORT, SidecarEnvironment.DEFAULT_METRICS_PORT),
                annotations.flag(Annotations.NATIVE_SIDECAR, true) ? Placement.NATIVE : Placement.ORDINARY);
    }
}
