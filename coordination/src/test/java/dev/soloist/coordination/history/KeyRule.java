package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A deduplication key has one living task at most, and none after one was handled until its window is over; and nobody is told that
 * a key is taken which was free all the time that he waited for the answer.
 */
final class KeyRule implements Rule {

    /** Between the moment of the server and the estimate of a caller, in microseconds. */
    private static final long CLOCKS = 2_000;

    private enum State {
        LIVING,
        DEAD,
        HANDLED
    }

    private static final class Owner {
        final Event.Keyed claim;
        State state = State.LIVING;

        Owner(Event.Keyed claim) {
            this.claim = claim;
        }
    }

    private record Freed(String by, long at) {}

    private final Violations violations;
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, Freed> freed = new HashMap<>();

    KeyRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Keyed e -> claimed(e);
            case Event.KeyTaken e -> told(e);
            case Event.Acked e -> became(e.job(), e.id(), State.HANDLED, e.at());
            case Event.Died e -> became(e.job(), e.id(), State.DEAD, e.at());
            case Event.Cancelled e -> became(e.job(), e.id(), null, e.at());
            case Event.Purged e -> became(e.job(), e.id(), null, e.at());
            case Event.Returned e -> returned(e);
            case Event.Erased e -> {
                owners.keySet().removeIf(key -> key.startsWith(e.job() + " "));
                keys.keySet().removeIf(key -> key.startsWith(e.job() + " "));
            }
            case Event.DataLost _ -> {
                owners.clear();
                keys.clear();
            }
            default -> {}
        }
    }

    private void claimed(Event.Keyed e) {
        String key = e.job() + " " + e.key();
        Owner before = owners.get(key);
        if (before != null && !before.claim.id().equals(e.id())) {
            if (!isFree(before, e.terminal(), e.at())) {
                violations.add(before.claim, e, "a key was taken that was not free (" + before.state + ")");
            }
            freed.put(key, new Freed(before.claim.id(), e.at()));
        } else if (before != null && before.state == State.HANDLED && before.claim.until() > e.at() / 1000) {
            violations.add(before.claim, e, "an id was taken again inside its window");
        }
        String former = keys.put(e.job() + " " + e.id(), key);
        if (former != null && !former.equals(key)) {
            Owner left = owners.get(former);
            if (left != null && left.claim.id().equals(e.id()) && left.state != State.HANDLED) {
                owners.remove(former);
                freed.put(former, new Freed(e.id(), e.at()));
            }
        }
        owners.put(key, new Owner(e));
    }

    private static boolean isFree(Owner owner, boolean terminal, long at) {
        return switch (owner.state) {
            case LIVING -> false;
            case DEAD -> terminal;
            case HANDLED -> owner.claim.until() <= at / 1000;
        };
    }

    private void told(Event.KeyTaken e) {
        String key = e.job() + " " + e.key();
        Owner now = owners.get(key);
        Freed before = freed.get(key);
        boolean is = now != null
                && now.claim.id().equals(e.by())
                && (now.state != State.HANDLED || now.claim.until() * 1000 >= e.asked() - CLOCKS);
        boolean was = before != null && before.by().equals(e.by()) && before.at() >= e.asked() - CLOCKS;
        if (!is && !was) {
            violations.add(e, "told that a key is taken that was free");
        }
        if (e.settled() > 0 && is && now.state != State.HANDLED) {
            violations.add(e, "told that nothing can free a key whose task lives");
        }
    }

    private void became(String job, String id, @Nullable State state, long at) {
        String key = keys.get(job + " " + id);
        Owner owner = key == null ? null : owners.get(key);
        if (owner == null || !owner.claim.id().equals(id) || owner.state == State.HANDLED) {
            return;
        }
        if (state == null) {
            owners.remove(key);
            freed.put(key, new Freed(id, at));
        } else {
            owner.state = state;
        }
    }

    private void returned(Event.Returned e) {
        String key = keys.get(e.job() + " " + e.id());
        if (key == null || !e.by().equals("requeue")) {
            return;
        }
        Owner owner = owners.get(key);
        if (owner != null && owner.claim.id().equals(e.id())) {
            owner.state = State.LIVING;
            return;
        }
        if (owner != null && !isFree(owner, true, e.at())) {
            violations.add(owner.claim, e, "a dead letter lives again beside the task that has its key");
        }
        var name = key.substring(e.job().length() + 1);
        owners.put(key, new Owner(new Event.Keyed(e.at(), e.job(), e.id(), name, e.at() / 1000, true)));
    }
}
