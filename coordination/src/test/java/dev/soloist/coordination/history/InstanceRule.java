package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A living instance is not fenced on silence, a fenced one neither enqueues nor takes tasks, and no segment is without an owner. */
final class InstanceRule implements Rule {

    private static final class Instance {
        boolean active = true;
        long until;
        Set<String> segments = new HashSet<>();
    }

    private final Violations violations;
    private final Map<String, Instance> instances = new HashMap<>();

    InstanceRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.InstanceLease e -> lease(e);
            case Event.Fenced e -> fenced(e);
            case Event.Adopted e -> adopted(e);
            case Event.Segments e -> {
                Instance owner = instances.get(key(e.job(), e.instance()));
                if (owner != null) {
                    owner.segments = new HashSet<>(e.segments());
                }
            }
            case Event.Stored e -> active(e, e.job(), e.instance(), "a fenced instance has enqueued");
            case Event.Delivered e -> active(e, e.job(), e.instance(), "a fenced instance was given a task");
            case Event.Erased e -> instances.keySet().removeIf(key -> key.startsWith(e.job() + " "));
            case Event.DataLost _ -> instances.clear();
            default -> {}
        }
    }

    private void lease(Event.InstanceLease e) {
        Instance instance = instances.get(key(e.job(), e.instance()));
        if (instance == null) {
            instance = new Instance();
            instance.segments.add(e.instance());
            instances.put(key(e.job(), e.instance()), instance);
        } else if (!instance.active) {
            violations.add(e, "a fenced instance came back to life");
        }
        instance.until = e.until();
    }

    private void fenced(Event.Fenced e) {
        Instance instance = instances.get(key(e.job(), e.instance()));
        if (instance != null) {
            if (e.evidence().equals("LEASE_OVER") && instance.until + e.grace() >= e.at() / 1000) {
                violations.add(e, "an instance was fenced while its lease or grace lasted, until " + instance.until);
            }
            instance.active = false;
        }
    }

    private void adopted(Event.Adopted e) {
        Instance dead = instances.get(key(e.job(), e.dead()));
        Instance living = instances.get(key(e.job(), e.living()));
        if (dead != null && dead.active) {
            violations.add(e, "a living instance was adopted");
            dead.active = false;
        }
        if (living == null) {
            return;
        }
        var expected = new HashSet<>(living.segments);
        if (dead != null) {
            expected.addAll(dead.segments);
            dead.segments = Set.of();
        }
        if (!new HashSet<>(e.segments()).containsAll(expected)) {
            violations.add(e, "an adoption lost segments of " + List.copyOf(expected));
        }
        living.segments = new HashSet<>(e.segments());
    }

    private void active(Event e, String job, String name, String otherwise) {
        Instance instance = instances.get(key(job, name));
        if (instance != null && !instance.active) {
            violations.add(e, otherwise);
        }
    }

    private static String key(String job, String instance) {
        return job + " " + instance;
    }
}
