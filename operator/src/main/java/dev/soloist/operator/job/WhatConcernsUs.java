package dev.soloist.operator.job;

import dev.soloist.crds.Annotations;
import dev.soloist.crds.job.DistributedJob;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lets a change of spec, wish, finalizers or deletion through, and keeps our own status writes from waking us.
public final class WhatConcernsUs implements OnUpdateFilter<DistributedJob> {

    @Override
    public boolean accept(DistributedJob after, DistributedJob before) {
        var now = after.getMetadata();
        var then = before.getMetadata();
        return !Objects.equals(now.getGeneration(), then.getGeneration())
                || !Objects.equals(now.getDeletionTimestamp(), then.getDeletionTimestamp())
                || !Objects.equals(now.getFinalizers(), then.getFinalizers())
                || !wishes(now.getAnnotations()).equals(wishes(then.getAnnotations()));
    }

    private static List<String> wishes(@Nullable Map<String, String> annotations) {
        var written = annotations == null ? Map.<String, String>of() : annotations;
        return List.of(
                written.getOrDefault(Annotations.RUN_NOW, ""), written.getOrDefault(Annotations.FORCE_UNLOCK, ""));
    }
}
