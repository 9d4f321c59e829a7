package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * At most one valid holder of a name at any moment of the server, whose fence is above all that were given in its namespace; a
 * lease that is over or revoked is not renewed, and only its holder gives it back.
 */
final class AppLeaseRule implements Rule {

    /** Redis keeps whole milliseconds. */
    private static final long ROUNDING = 2;

    private final Violations violations;
    private final Map<String, Event.LeaseHeld> held = new HashMap<>();
    private final Map<String, Event.LeaseRevoked> revoked = new HashMap<>();
    private final Map<String, Event.LeaseHeld> last = new HashMap<>();

    AppLeaseRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.LeaseHeld now -> held(now);
            case Event.LeaseRevoked now -> revoked.put(now.job(), now);
            case Event.LeaseGivenBack back -> {
                Event.LeaseHeld before = held.remove(back.job());
                if (before != null
                        && !(before.fence().equals(back.fence()) && before.pod().equals(back.pod()))) {
                    violations.add(before, back, "a lease was given back by somebody else");
                }
            }
            case Event.DataLost _ -> held.clear();
            default -> {}
        }
    }

    private void held(Event.LeaseHeld now) {
        Event.@Nullable LeaseHeld before = held.put(now.job(), now);
        boolean same = before != null && before.fence().equals(now.fence());
        boolean over = before != null && now.now() > before.until() + ROUNDING;
        if (before != null && !same && now.at() / 1000 < before.until() - ROUNDING) {
            violations.add(before, now, "two valid holders of one name");
        }
        if (before != null && same && over) {
            violations.add(before, now, "a lease that was over was renewed");
        }
        if (before != null && same && !before.pod().equals(now.pod())) {
            violations.add(before, now, "a lease went to another pod under its fence");
        }
        Event.@Nullable LeaseRevoked end = revoked.get(now.job());
        if (end != null && end.fence().equals(now.fence())) {
            violations.add(end, now, "a revoked lease was renewed");
        }
        if (now.first() && !same) {
            rose(now);
        }
    }

    private void rose(Event.LeaseHeld now) {
        Event.LeaseHeld before = last.put(now.job().substring(0, now.job().indexOf('/')), now);
        if (before != null && Long.parseLong(now.fence()) <= Long.parseLong(before.fence())) {
            violations.add(before, now, "the fence of a lease did not rise");
        }
    }
}
