package dev.soloist.crds.job;

import org.jspecify.annotations.Nullable;

/// What a user reads when a rule is broken, from the API server and from Java alike.
final class JobSentences {

    private static final String DURATION =
            " must be a positive duration such as 30s, 5m or 1h30m, in the units h, m, s, ms (for a day write 24h)";

    static final String NAME =
            "metadata.name must have at most 63 characters, for it is used as a label and in addresses: choose a shorter name";
    static final String ONE_KIND_OF_WORK = "set exactly one of spec.singleton, spec.delayed and spec.broadcast";
    static final String NO_LEASE_IN_BROADCAST =
            "spec.lockPolicy does not go with spec.broadcast, for every pod gets a message and nobody holds a lease: remove spec.lockPolicy";
    static final String NO_LOG_OF_BROADCAST =
            "spec.eventLog does not go with spec.broadcast, for a message has no end that could be noted: remove spec.eventLog";
    static final String COOLDOWN = "spec.singleton.cooldown" + DURATION + "; remove it for none";
    static final String COOLDOWN_MAX =
            "spec.singleton.cooldown must be at most 24h: write what is longer into spec.singleton.schedule";
    static final String LOCK_POLICY =
            "spec.lockPolicy must be the name of a LockPolicy in this namespace: lower case letters, digits, '-' and '.'; remove it to use the defaults";
    static final String SOME_LABEL =
            "spec.selector.matchLabels must name at least one label, for none would select every pod of the namespace";
    static final String LABEL_SYNTAX =
            "spec.selector.matchLabels must hold valid label keys and values, for no pod can carry others: correct the key or the value";
    static final String PATH =
            "spec.trigger.path must start with / and hold only characters of a URL path: encode others, leave out ? and #";
    static final String TIMEOUT = "spec.trigger.timeout" + DURATION;
    static final String BACKOFF_INITIAL = "backoff.initial" + DURATION;
    static final String BACKOFF_MAX = "backoff.max" + DURATION;
    static final String BACKOFF_ORDER =
            "backoff.initial must not be longer than backoff.max: lower backoff.initial or raise backoff.max";
    static final String VISIBILITY = "spec.delayed.visibilityTimeout" + DURATION;
    static final String VISIBILITY_MIN = "spec.delayed.visibilityTimeout must be at least 1s: raise it";

    private JobSentences() {}

    /// [#BACKOFF_ORDER] with the values, as [JobCel#BACKOFF_ORDER_MESSAGE] puts them in.
    static String backoffOrder(@Nullable String initial, @Nullable String max) {
        return "backoff.initial (" + initial + ") must not be longer than backoff.max (" + max
                + "): lower backoff.initial or raise backoff.max";
    }
}
