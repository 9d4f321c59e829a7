package dev.soloist.operator.conditions;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Builds the conditions of one status. A condition keeps its transition time as long as its status stays. Not
/// thread-safe.
public final class Conditions {

    private final List<Condition> before;
    private final long generation;
    private final String now;
    private final List<Condition> conditions = new ArrayList<>();

    /// @param before those of the status that is replaced
    /// @param generation of the spec they speak of
    public Conditions(@Nullable List<Condition> before, long generation, Instant now) {
        this.before = before == null ? List.of() : before;
        this.generation = generation;
        this.now = now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public Conditions isTrue(String type, String reason, String message) {
        return add(type, "True", reason, message);
    }

    public Conditions isFalse(String type, String reason, String message) {
        return add(type, "False", reason, message);
    }

    public List<Condition> list() {
        return List.copyOf(conditions);
    }

    private Conditions add(String type, String status, String reason, String message) {
        var since = find(before, type)
                .filter(old -> status.equals(old.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now);
        conditions.add(new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build());
        return this;
    }

    public static Optional<Condition> find(@Nullable List<Condition> conditions, String type) {
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(each -> type.equals(each.getType()))
                        .findFirst();
    }

    /// Whether two lists say the same to a machine: type, status and reason, in any order.
    public static boolean sameStates(@Nullable List<Condition> a, @Nullable List<Condition> b) {
        return Objects.equals(states(a), states(b));
    }

    private static List<String> states(@Nullable List<Condition> conditions) {
        return conditions == null
                ? List.of()
                : conditions.stream()
                        .map(each -> each.getType() + "=" + each.getStatus() + "/" + each.getReason())
                        .sorted()
                        .toList();
    }
}
