package dev.soloist.crds.job;

import dev.soloist.crds.Findings;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules of delayed work in Java, but for those of its backoff. Pure.
final class DelayedRules {

    private static final String FIELD = "spec.delayed";
    private static final Pattern PAYLOAD = Pattern.compile(DelayedCel.PAYLOAD_SHAPE);
    private static final int LARGEST_PAYLOAD = 1024 * 1024;

    private DelayedRules() {}

    /// Notes what is wrong with a spec that has its defaults.
    static void check(Findings found, Delayed delayed) {
        found.rule(FIELD + ".transport", delayed.transport() != Transport.UNKNOWN, DelayedSentences.TRANSPORT);
        found.supported(
                FIELD + ".delivery", delayed.delivery() == Delivery.UNKNOWN, Set.of("AtLeastOnce", "AtMostOnce"));
        found.supported(
                FIELD + ".onDuplicate",
                delayed.onDuplicate() == OnDuplicate.UNKNOWN,
                Set.of("Reject", "KeepEarliest", "KeepLatest", "Replace"));
        found.between(FIELD + ".maxAttempts", delayed.maxAttempts(), 1, 1000);
        found.between(FIELD + ".concurrency", delayed.concurrency(), 1, 1000);
        found.between(FIELD + ".maxDepth", delayed.maxDepth(), 1, 100_000_000);
        found.between(FIELD + ".shards", delayed.shards(), 1, 64);
        var visibility =
                found.duration(FIELD + ".visibilityTimeout", delayed.visibilityTimeout(), JobSentences.VISIBILITY);
        found.rule(
                FIELD + ".visibilityTimeout",
                visibility == null || visibility.compareTo(Duration.ofSeconds(1)) >= 0,
                JobSentences.VISIBILITY_MIN);
        payload(found, delayed.maxPayload());
        stream(found, delayed);
        deduplication(found, delayed.deduplication());
        deadLetter(found, delayed.deadLetter());
        rateLimit(found, delayed.rateLimit());
        together(found, delayed);
    }

    /// A payload's size in bytes, of a text with the right shape.
    static long bytes(String text) {
        if (text.endsWith("Mi")) {
            return Long.parseLong(text.substring(0, text.length() - 2)) * 1024 * 1024;
        }
        return text.endsWith("Ki") ? Long.parseLong(text.substring(0, text.length() - 2)) * 1024 : Long.parseLong(text);
    }

    private static void payload(Findings found, @Nullable String text) {
        found.longest(FIELD + ".maxPayload", text, 10);
        var readable = text == null || PAYLOAD.matcher(text).matches();
        found.rule(FIELD + ".maxPayload", readable, DelayedSentences.PAYLOAD);
        found.rule(
                FIELD + ".maxPayload",
                text == null || !readable || bytes(text) <= LARGEST_PAYLOAD,
                DelayedSentences.PAYLOAD_MAX);
    }

    private static void stream(Findings found, Delayed delayed) {
        var stream = delayed.stream();
        if (stream == null) {
            return;
        }
        found.rule(FIELD, delayed.transport() == Transport.STREAM, DelayedSentences.STREAM_IF_STREAM);
        found.between(FIELD + ".stream.maxLength", stream.maxLength(), 1000, 10_000_000);
        span(
                found,
                FIELD + ".stream.retention",
                stream.retention(),
                DelayedSentences.RETENTION,
                Duration.ofMinutes(1),
                Duration.ofDays(30),
                DelayedSentences.RETENTION_BOUNDS);
    }

    private static void deduplication(Findings found, @Nullable Deduplication deduplication) {
        if (deduplication == null) {
            return;
        }
        var field = FIELD + ".deduplication";
        found.supported(
                field + ".releaseOn", deduplication.releaseOn() == ReleaseOn.UNKNOWN, Set.of("Success", "Terminal"));
        span(
                found,
                field + ".window",
                deduplication.window(),
                DelayedSentences.WINDOW,
                Duration.ofSeconds(1),
                Duration.ofDays(30),
                DelayedSentences.WINDOW_BOUNDS);
    }

    private static void deadLetter(Findings found, @Nullable DeadLetter dead) {
        if (dead == null) {
            return;
        }
        found.between(FIELD + ".deadLetter.maxLength", dead.maxLength(), 1, 1_000_000);
        span(
                found,
                FIELD + ".deadLetter.maxAge",
                dead.maxAge(),
                DelayedSentences.DEAD_AGE,
                Duration.ofMinutes(1),
                Duration.ofDays(365),
                DelayedSentences.DEAD_AGE_BOUNDS);
    }

    private static void rateLimit(Findings found, @Nullable RateLimit rate) {
        if (rate == null) {
            return;
        }
        found.required(FIELD + ".rateLimit.max", rate.max());
        found.required(FIELD + ".rateLimit.per", rate.per());
        found.between(FIELD + ".rateLimit.max", rate.max(), 1, 10_000);
        span(
                found,
                FIELD + ".rateLimit.per",
                rate.per(),
                DelayedSentences.RATE_PER,
                Duration.ofMillis(100),
                Duration.ofDays(1),
                DelayedSentences.RATE_PER_BOUNDS);
    }

    private static void together(Findings found, Delayed delayed) {
        var once = delayed.delivery() == Delivery.AT_MOST_ONCE;
        var streamed = delayed.transport() == Transport.STREAM;
        var attempts = delayed.maxAttempts();
        var shards = delayed.shards();
        var spread = shards != null && shards > 1;
        found.rule(FIELD, !once || attempts == null || attempts <= 1, DelayedSentences.ONCE_IS_ONE_ATTEMPT);
        found.rule(FIELD, !once || !streamed, DelayedSentences.ONCE_IN_A_LIST);
        found.rule(FIELD, delayed.rateLimit() == null || !streamed, DelayedSentences.RATE_IN_A_LIST);
        found.rule(FIELD, delayed.rateLimit() == null || !spread, DelayedSentences.RATE_IN_ONE_SHARD);
        found.rule(FIELD, !streamed || !spread, DelayedSentences.STREAM_IN_ONE_SHARD);
        found.rule(FIELD, delayed.deduplication() == null || !spread, DelayedSentences.KEYS_IN_ONE_SHARD);
    }

    /// A duration that has to lie between two others.
    private static void span(
            Findings found,
            String field,
            @Nullable String text,
            String malformed,
            Duration least,
            Duration most,
            String outOfBounds) {
        var value = found.duration(field, text, malformed);
        found.rule(field, value == null || (value.compareTo(least) >= 0 && value.compareTo(most) <= 0), outOfBounds);
    }
}
