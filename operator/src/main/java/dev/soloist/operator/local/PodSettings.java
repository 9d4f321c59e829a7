package dev.soloist.operator.local;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisSettings;
import java.nio.file.Path;

/// What all local pods have in common.
///
/// @param folder in which each gets one of its own
/// @param sidecarJar the sidecar, with its libraries in `lib` beside it
record PodSettings(
        Path folder, String namespace, Install install, RedisSettings redis, AppClasses app, Path sidecarJar) {}
