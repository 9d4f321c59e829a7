package dev.soloist.coordination.delayed.stream;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a stream holds at one moment. Immutable.
 *
 * @param entries all, held and handled
 * @param keptSince when the task of the first entry was handed out; null if there is none
 * @param pending entries of tasks that are held
 * @param consumers of the group
 * @param losses how often the stream or its group was gone and was made anew
 * @param lastLoss when that was noticed last, null if never
 * @param told of how many losses people were told
 */
public record StreamState(
        long entries,
        @Nullable Instant keptSince,
        long pending,
        int consumers,
        long losses,
        @Nullable Instant lastLoss,
        long told) {}
