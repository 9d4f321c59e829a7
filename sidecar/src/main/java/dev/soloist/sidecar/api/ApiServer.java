package dev.soloist.sidecar.api;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.sidecar.broadcast.BroadcastWorker;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.http.Handler;
import dev.soloist.sidecar.http.HttpListener;
import dev.soloist.sidecar.http.Request;
import dev.soloist.sidecar.http.Response;
import dev.soloist.sidecar.jobs.JobDirectory;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.lease.AppLeases;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.token.LocalToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server on localhost. Listens from construction on, also before anything is known of jobs or Redis, until it is closed. Every
 * answer that is not 2xx is a problem. Thread-safe.
 */
public final class ApiServer implements Handler, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(ApiServer.class);

    /** Bodies read at a time: the heap is small, and a body may have a megabyte. */
    private static final int BODIES_AT_A_TIME = 4;

    private static final int LONGEST_WAIT_SECONDS = 5;

    private final LocalToken token;
    private final JobDirectory jobs;
    private final LeasesEndpoint leases;
    private final Meters meters;
    private final HttpListener listener;
    private final Semaphore bodies = new Semaphore(BODIES_AT_A_TIME);

    /** Listens from now on; port 0 takes any free one. */
    public ApiServer(int port, LocalToken token, JobDirectory jobs, AppLeases leases, Meters meters)
            throws IOException {
        this.token = token;
        this.jobs = jobs;
        this.leases = new LeasesEndpoint(leases);
        this.meters = meters;
        this.listener = new HttpListener(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), this);
    }

    /** The port it listens on. */
    public int port() {
        return listener.port();
    }

    @Override
    public Response handle(Request request) throws IOException {
        var exchange = new Exchange(request);
        var operation = "none";
        Answer answer;
        try {
            exchange.requireToken(token);
            var route = exchange.route();
            operation = route.operation().id();
            answer = answer(exchange, route);
        } catch (Refusal refusal) {
            answer = refusal.answer();
        } catch (RedisUnavailable unanswered) {
            answer = Answer.problem(StoreProblems.of(unanswered));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            answer = Answer.problem(new Problem(ProblemKind.STORE_UNAVAILABLE, "The sidecar is ending."));
        } catch (RuntimeException bug) {
            LOGGER.error("{} failed; the caller is told so", operation, bug);
            answer = Answer.problem(new Problem(ProblemKind.INTERNAL, "The sidecar's log says more."));
        }
        meters.apiAnswered(operation, answer.status());
        return answer.toResponse();
    }

    @Override
    public Response malformed(String reason) {
        meters.apiAnswered("none", ProblemKind.INVALID_REQUEST.status());
        return Answer.problem(new Problem(ProblemKind.INVALID_REQUEST, reason)).toResponse();
    }

    private Answer answer(Exchange exchange, Route route) throws IOException, Refusal, InterruptedException {
        if (route.operation() == Operation.OPENAPI) {
            return OpenApiDocument.read();
        }
        if (!route.operation().takesBody()) {
            return answer(exchange, route, new byte[0]);
        }
        if (!bodies.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new Refusal(ProblemKind.STORE_UNAVAILABLE, "Too many requests wait for the store already.");
        }
        try {
            return answer(exchange, route, exchange.body());
        } finally {
            bodies.release();
        }
    }

    private Answer answer(Exchange exchange, Route route, byte[] body) throws Refusal, InterruptedException {
        return switch (route.operation()) {
            case ACQUIRE_LEASE -> leases.acquire(route.leaseName(), body, exchange.idempotencyKey());
            case RENEW_LEASE -> leases.renew(route.leaseName(), exchange.fence());
            case RELEASE_LEASE -> leases.release(route.leaseName(), exchange.fence());
            case LIST_LEASES -> leases.list(route.query());
            case OPENAPI -> OpenApiDocument.read();
            default -> ofJob(exchange, route, body);
        };
    }

    private Answer ofJob(Exchange exchange, Route route, byte[] body) throws Refusal, InterruptedException {
        var worker = jobs.find(route.job()).orElseThrow(() -> absent(route.job()));
        return switch (route.operation()) {
            case ENQUEUE -> tasks(worker).enqueue(body, exchange.idempotencyKey());
            case READ_TASK -> tasks(worker).read(route.taskId());
            case RESCHEDULE -> tasks(worker).reschedule(route.taskId(), body);
            case CANCEL -> tasks(worker).cancel(route.taskId());
            case REPLAY -> ReplayEndpoint.replay(delayed(worker), body, exchange.idempotencyKey());
            case BROADCAST -> broadcasts(worker).send(body, exchange.idempotencyKey());
            case READ_EVENTS -> EventsEndpoint.of(worker).read(route.query());
            case LIST_DEAD -> dead(worker).list(route.query());
            case PURGE_DEAD -> dead(worker).purge();
            case READ_DEAD -> dead(worker).read(route.taskId());
            case DISCARD_DEAD -> dead(worker).discard(route.taskId());
            case REQUEUE_DEAD -> dead(worker).requeue(route.taskId());
            case READ_JOB -> JobEndpoint.read(worker);
            case ACQUIRE_LEASE, RENEW_LEASE, RELEASE_LEASE, LIST_LEASES, OPENAPI ->
                throw new IllegalStateException("this operation is about no job");
        };
    }

    private Refusal absent(String job) {
        return jobs.known()
                ? new Refusal(
                        ProblemKind.UNKNOWN_JOB, "This pod takes part in no job '" + shown(job) + "' of its namespace.")
                : new Refusal(
                        ProblemKind.STORE_UNAVAILABLE,
                        "The sidecar has not yet read which jobs this pod takes part in.");
    }

    private static String shown(String job) {
        return job.length() > 100 ? job.substring(0, 100) + "…" : job;
    }

    private static TasksEndpoint tasks(JobWorker worker) throws Refusal {
        return new TasksEndpoint(delayed(worker));
    }

    private static BroadcastEndpoint broadcasts(JobWorker worker) throws Refusal {
        if (worker instanceof BroadcastWorker broadcasting) {
            return new BroadcastEndpoint(broadcasting);
        }
        throw new Refusal(
                ProblemKind.NOT_BROADCAST,
                "Job '" + worker.job().id().name() + "' takes no broadcasts: only a job with spec.broadcast does.");
    }

    private static DeadLettersEndpoint dead(JobWorker worker) throws Refusal {
        return new DeadLettersEndpoint(delayed(worker));
    }

    private static DelayedWorker delayed(JobWorker worker) throws Refusal {
        if (worker instanceof DelayedWorker delayed) {
            return delayed;
        }
        throw new Refusal(
                ProblemKind.NOT_DELAYED,
                "Job '" + worker.job().id().name() + "' takes no tasks: only a delayed job does.");
    }

    /** Lets requests that are being answered end, at most for the given time, and listens no more. */
    public void close(Duration drain) {
        listener.close(drain);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
