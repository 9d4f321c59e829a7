package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.lease.LeaseName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request line understood.
 *
 * @param job name of the job, empty for operations without one
 * @param id of the task, or name of the lease, null for operations without one
 * @param query what stands behind the path
 */
record Route(Operation operation, String job, @Nullable TaskId id, Query query) {

    /** Finds the operation, or refuses with 400, 404 or 405. */
    static Route of(String method, String rawPath) throws Refusal {
        var segments = PathSegments.of(rawPath);
        var candidates = Arrays.stream(Operation.values())
                .filter(operation -> matches(operation.template(), segments))
                .toList();
        if (candidates.isEmpty()) {
            throw new Refusal(ProblemKind.UNKNOWN_PATH, "GET /v1/openapi.yaml lists what there is.");
        }
        for (var operation : candidates) {
            if (operation.method().equals(method)) {
                return new Route(
                        operation, parameter(operation, "{job}", segments), id(operation, segments), Query.NONE);
            }
        }
        var allowed = candidates.stream().map(Operation::method).collect(Collectors.joining(", "));
        throw new Refusal(
                ProblemKind.METHOD_NOT_ALLOWED, "This path offers " + allowed + ".", Map.of("Allow", allowed));
    }

    /** The same with the query of the request line, which the operation has to know. */
    Route withQuery(String raw) throws Refusal {
        return new Route(operation, job, id, Query.of(raw, operation.query()));
    }

    /** The id of the path. */
    TaskId taskId() throws Refusal {
        if (id == null) {
            throw new Refusal(ProblemKind.INVALID_ID, "The path names no id.");
        }
        return id;
    }

    /** The name of a lease in the path. */
    LeaseName leaseName() throws Refusal {
        return new LeaseName(taskId().text());
    }

    private static boolean matches(String template, List<byte[]> segments) {
        var expected = template.substring(1).split("/", -1);
        if (expected.length != segments.size()) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (!expected[i].startsWith("{") && !expected[i].equals(text(segments.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static String parameter(Operation operation, String name, List<byte[]> segments) {
        int index =
                Arrays.asList(operation.template().substring(1).split("/", -1)).indexOf(name);
        return index < 0 ? "" : text(segments.get(index));
    }

    private static @Nullable TaskId id(Operation operation, List<byte[]> segments) throws Refusal {
        var names = List.of(operation.template().substring(1).split("/", -1));
        int index = Math.max(names.indexOf("{id}"), names.indexOf("{name}"));
        return index < 0 ? null : Ids.fromBytes(segments.get(index));
    }

    private static String text(byte[] segment) {
        return new String(segment, StandardCharsets.UTF_8);
    }
}
