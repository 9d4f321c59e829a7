package dev.soloist.coordination.history;

import java.util.Comparator;
import java.util.List;

/**
 * Checks a recorded history. Pure. Rules that hold only while Redis keeps its data forget what they know at {@link Event.DataLost} and
 * go on from there.
 */
public final class Checker {

    private Checker() {}

    /** All that is against the rules, in words; empty when nothing is. */
    public static List<String> violations(List<Event> recorded) {
        // What callers note is in the history before what the server says of the same moment.
        List<Event> events =
                recorded.stream().sorted(Comparator.comparingLong(Event::at)).toList();
        var violations = new Violations();
        var excuses = Excuses.of(events);
        List<Rule> rules = List.of(
                new LeaseRule(violations),
                new FenceRule(violations),
                new AppLeaseRule(violations),
                new TokenRule(violations),
                new BeliefRule(violations),
                new AppRunRule(violations, excuses),
                new TaskRule(violations),
                new KeyRule(violations),
                new OnceRule(violations),
                new RateRule(violations),
                new PromiseRule(violations),
                new AppTaskRule(violations, excuses),
                new InstanceRule(violations),
                new RecoveryRule(violations));
        for (Event event : events) {
            rules.forEach(rule -> rule.see(event));
        }
        rules.forEach(Rule::end);
        return violations.all();
    }
}
