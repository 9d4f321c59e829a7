package dev.soloist.sidecar.api;

import java.util.Map;

/** Ends the handling of a request with a problem. Not an error: no stack trace, never logged. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient Map<String, String> headers;

    Refusal(ProblemKind kind, String detail) {
        this(kind, detail, Map.of());
    }

    Refusal(ProblemKind kind, String detail, Map<String, String> headers) {
        super(detail, null, false, false);
        this.problem = new Problem(kind, detail);
        this.headers = Map.copyOf(headers);
    }

    Problem problem() {
        return problem;
    }

    Answer answer() {
        return headers.isEmpty() ? Answer.problem(problem) : Answer.problem(problem, headers);
    }
}
