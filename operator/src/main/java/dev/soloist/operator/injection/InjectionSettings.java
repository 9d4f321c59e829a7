package dev.soloist.operator.injection;

/// What the operator's administrator decides about every sidecar.
///
/// @param sidecarImage image of the sidecar unless a pod names its own
/// @param imagePullPolicy as in a container
/// @param install name of this installation, part of every Redis key
public record InjectionSettings(String sidecarImage, String imagePullPolicy, String install) {

    public InjectionSettings {
        if (sidecarImage.isBlank()) {
            throw new IllegalArgumentException("the sidecar's image must be named");
        }
    }
}
