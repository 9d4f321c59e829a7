package dev.soloist.sidecar.api;

import java.util.Set;

/** The calls of the API, as the OpenAPI document names them. */
enum Operation {
    ENQUEUE("POST", "/v1/jobs/{job}/tasks", "enqueueTasks"),
    READ_TASK("GET", "/v1/jobs/{job}/tasks/{id}", "readTask"),
    RESCHEDULE("PATCH", "/v1/jobs/{job}/tasks/{id}", "rescheduleTask"),
    CANCEL("DELETE", "/v1/jobs/{job}/tasks/{id}", "cancelTask"),
    REPLAY("POST", "/v1/jobs/{job}/replay", "replayTasks"),
    BROADCAST("POST", "/v1/jobs/{job}/broadcast", "broadcast"),
    READ_EVENTS("GET", "/v1/jobs/{job}/events", "readEvents"),
    LIST_DEAD("GET", "/v1/jobs/{job}/dead", "listDeadLetters"),
    PURGE_DEAD("DELETE", "/v1/jobs/{job}/dead", "purgeDeadLetters"),
    READ_DEAD("GET", "/v1/jobs/{job}/dead/{id}", "readDeadLetter"),
    DISCARD_DEAD("DELETE", "/v1/jobs/{job}/dead/{id}", "discardDeadLetter"),
    REQUEUE_DEAD("POST", "/v1/jobs/{job}/dead/{id}/requeue", "requeueDeadLetter"),
    READ_JOB("GET", "/v1/jobs/{job}", "readJob"),
    ACQUIRE_LEASE("POST", "/v1/leases/{name}", "acquireLease"),
    RENEW_LEASE("PUT", "/v1/leases/{name}", "renewLease"),
    RELEASE_LEASE("DELETE", "/v1/leases/{name}", "releaseLease"),
    LIST_LEASES("GET", "/v1/leases", "listLeases"),
    OPENAPI("GET", "/v1/openapi.yaml", "readOpenApi");

    private final String method;
    private final String template;
    private final String id;

    Operation(String method, String template, String id) {
        this.method = method;
        this.template = template;
        this.id = id;
    }

    String method() {
        return method;
    }

    String template() {
        return template;
    }

    String id() {
        return id;
    }

    /** Names of the query parameters there may be. */
    Set<String> query() {
        return switch (this) {
            case READ_EVENTS, LIST_LEASES -> Set.of("after", "limit");
            case LIST_DEAD -> Set.of("skip", "limit");
            default -> Set.of();
        };
    }

    boolean takesBody() {
        return this == ENQUEUE || this == RESCHEDULE || this == REPLAY || this == ACQUIRE_LEASE || this == BROADCAST;
    }
}
