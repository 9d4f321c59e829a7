package dev.soloist.operator.job;

import dev.soloist.crds.Annotations;
import dev.soloist.crds.job.DistributedJob;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
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
                || !Objects.equals(wish(now.getAnnotations()), wish(then.getAnnotations()));
    }

    private static @Nullable String wish(@Nullable Map<String, String> annotations) {
        return annotations == null ? null : annotations.get(Annotations.RUN_NOW);
    }
}
