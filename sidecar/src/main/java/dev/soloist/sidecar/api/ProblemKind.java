package dev.soloist.sidecar.api;

/** Every problem this API can answer. The type is what programs compare, so a name here never changes its meaning. */
enum ProblemKind {
    MALFORMED_JSON(400, "malformed-json", "The body is not the JSON that was expected"),
    INVALID_TASK(400, "invalid-task", "The task cannot be accepted as it is"),
    INVALID_BROADCAST(400, "invalid-broadcast", "The broadcast cannot be accepted as it is"),
    INVALID_ID(400, "invalid-id", "The id is not 1 to 256 bytes of UTF-8"),
    INVALID_LEASE(400, "invalid-lease", "The lease cannot be given as it was asked for"),
    INVALID_REQUEST(400, "invalid-request", "The request cannot be understood"),
    TOO_FAR(400, "too-far", "The task is due too far ahead"),
    UNAUTHORIZED(401, "unauthorized", "The bearer token is missing or wrong"),
    UNKNOWN_PATH(404, "unknown-path", "There is nothing at this path"),
    UNKNOWN_JOB(404, "unknown-job", "This pod takes no part in such a job"),
    UNKNOWN_TASK(404, "unknown-task", "There is no such task"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The path does not offer this method"),
    NOT_BROADCAST(409, "not-a-broadcast-job", "The job takes no broadcasts"),
    SUSPENDED(409, "job-suspended", "The job is suspended"),
    NO_EVENT_LOG(409, "no-event-log", "No event log is kept"),
    NOT_DELAYED(409, "not-a-delayed-job", "The job takes no tasks"),
    ID_TAKEN(409, "id-taken", "A task with this id exists already"),
    NOT_ON_THIS_STORE(409, "not-on-this-store", "The store of this namespace cannot do that"),
    IN_FLIGHT(409, "task-in-flight", "The task is being delivered"),
    KEY_TAKEN(409, "key-taken", "Another task has the deduplication key"),
    DEAD(409, "task-dead", "The task is in the dead-letter set"),
    LEASE_HELD(409, "lease-held", "Somebody holds the lease"),
    LEASE_LOST(409, "lease-lost", "The lease is not held any more"),
    LEASE_REVOKED(409, "lease-revoked", "The lease is not renewed any more"),
    NO_HISTORY(409, "no-history", "The job keeps no history"),
    SHARDS_IN_USE(409, "shards-in-use", "Tasks lie in several shards"),
    BODY_TOO_LARGE(413, "body-too-large", "The body is too large"),
    PAYLOAD_TOO_LARGE(413, "payload-too-large", "The payload is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The body must be application/json"),
    INTERNAL(500, "internal", "The sidecar failed"),
    STORE_UNAVAILABLE(503, "store-unavailable", "The store cannot be reached"),
    NOT_REPLICATED(503, "not-replicated", "Too few replicas acknowledged the task"),
    QUEUE_FULL(503, "queue-full", "The queue of the job is full"),
    STORE_UNSAFE(503, "store-unsafe", "The store may lose leases"),
    TOO_MANY_LEASES(503, "too-many-leases", "The namespace has as many leases as it may"),
    STORE_FULL(507, "store-full", "The store is out of memory");

    private final int status;
    private final String slug;
    private final String title;

    ProblemKind(int status, String slug, String title) {
        this.status = status;
        this.slug = slug;
        this.title = title;
    }

    int status() {
        return status;
    }

    String type() {
        return "https://soloist.dev/problems/" + slug;
    }

    String title() {
        return title;
    }
}
