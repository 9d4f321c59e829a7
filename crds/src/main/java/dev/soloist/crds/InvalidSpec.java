package dev.soloist.crds;

import java.util.List;
import java.util.stream.Collectors;

/// An object breaks rules of its kind. The message holds each field with its sentence.
public final class InvalidSpec extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    public InvalidSpec(List<Violation> violations) {
        super(violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    public List<Violation> violations() {
        return violations;
    }
}
