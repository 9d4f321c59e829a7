package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Homes;
import dev.soloist.coordination.shard.Layouts;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose tasks are spread over several shards, whose number changes while they wait. */
class ShardsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FROM_THE_BEGINNING = "{\"from\":\"2026-01-01T00:00:00Z\"}";

    @Test
    void tasksOfEveryShardAreDeliveredOnceAndCountedTogether() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, 3, 1);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                awaitLayout(board, job, "|3|");
                enqueue(a, 0, 60, "10s");
                assertThat(a.get("/v1/jobs/mail").body())
                        .contains("\"pending\":60")
                        .contains("\"head\"");
                await().until(() -> b.metric("soloist_queue_depth{djob=\"mail\",state=\"pending\"}") == 60);
                for (int shard = 0; shard < 3; shard++) {
                    assertThat(recorded(board, job, shard)).isBetween(8L, 35L);
                }

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 60);
                await().until(() -> recorded(board, job, 0) + recorded(board, job, 1) + recorded(board, job, 2) == 0);
                assertThat(app.calls()).hasSize(60);
            }
        }
    }

    @Test
    void theNumberOfShardsGoesUpAndDownWhileTasksWaitAndNoneIsLostOrDoubled() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, 3, 1);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                enqueue(a, 0, 40, "15s");
                publish(board, app, 6, 2);
                enqueue(b, 40, 80, "15s");
                awaitLayout(board, job, "|6|1,3|6");
                enqueue(b, 0, 40, "15s"); // again: they live where three shards put them
                publish(board, app, 2, 3);
                enqueue(a, 80, 120, "15s");
                awaitLayout(board, job, "|2|1,3,6|6");
                enqueue(a, 40, 80, "15s");
                assertThat(IntStream.range(0, 6)
                                .mapToLong(shard -> recorded(board, job, shard))
                                .sum())
                        .isEqualTo(120);
                for (int i = 0; i < 120; i += 7) {
                    assertThat(b.get("/v1/jobs/mail/tasks/" + id(i)).statusCode())
                            .isEqualTo(200);
                }

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 120);
                await().until(() -> IntStream.range(0, 6)
                                .mapToLong(shard -> recorded(board, job, shard))
                                .sum()
                        == 0);
                assertThat(app.calls()).hasSize(120);
            }
        }
    }

    @Test
    void fromSeveralShardsToOneAndStreamInOneEditLosesNothingAndReplaysOnlyWhenTheFormerShardsAreEmpty() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, 4, 1);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                awaitLayout(board, job, "|4|");
                enqueue(a, 0, 40, "10s");
                enqueue(a, 40, 80, "0");
                publish(board, app, 1, 2, new Transport.Stream(Duration.ofHours(1), 1000));
                awaitLayout(board, job, "|1|4|4");
                for (var pod : List.of(a, b)) {
                    // As soon as it has heard of the stream.
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        var early = pod.post("/v1/jobs/mail/replay", FROM_THE_BEGINNING);
                        assertThat(early.statusCode()).isEqualTo(409);
                        assertThat(early.body()).contains("shards-in-use").contains("status.delayed.formerShards");
                    });
                }
                enqueue(b, 80, 120, "0");

                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 120);
                await().atMost(PATIENCE).until(() -> recordedOver(board, job, 4) == 0);

                // Their memory of ended tasks goes after ten minutes; then the operator finds the former shards empty.
                for (int shard = 0; shard < 4; shard++) {
                    board.link.call("DEL", board.keys.ofShard(shard).done(job.id()));
                }
                new Drain(board.scripts, board.keys, job.id())
                        .turn(new Layouts(board.scripts, board.keys).read(job.id()), 100);
                awaitLayout(board, job, "|1||4");
                int before = app.calls().size();
                var replayed = b.post("/v1/jobs/mail/replay", FROM_THE_BEGINNING);

                // Of those that were handled in the one shard that is left.
                assertThat(replayed.statusCode()).isEqualTo(200);
                assertThat(replayed.body()).doesNotContain("\"replayed\":0,");
                await().atMost(PATIENCE).until(() -> app.calls().size() > before);
                await().atMost(PATIENCE).until(() -> recordedOver(board, job, 4) == 0);
                assertThat(tasksOf(app)).hasSize(120);
            }
        }
    }

    private static long recordedOver(Board board, JobDefinition job, int shards) {
        return IntStream.range(0, shards)
                .mapToLong(shard -> recorded(board, job, shard))
                .sum();
    }

    @Test
    void aPodThatStartsWithAnOldDefinitionActsOnTheLayoutThatIsThere() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var four = publish(board, app, 4, 5);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), four)) {
                awaitLayout(board, four, "|4|");
                // What a pod would read that was told too late.
                publish(board, app, 2, 4);
                try (var b = takesPart(board, new TestPod("b", REDIS.port()), four)) {
                    enqueue(b, 0, 30, "8s");

                    for (int i = 0; i < 30; i++) {
                        int home = Homes.of(TaskId.of(id(i)), 4);
                        int task = i;
                        assertThat(board.link.call(
                                        "HEXISTS", board.keys.ofShard(home).tasks(four.id()), id(task)))
                                .containsExactly(1L);
                    }
                    await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 30);
                }
                await().until(() -> a.metric("soloist_store_up") == 1);
            }
        }
    }

    @Test
    void aPodThatIsGoneLeavesItsTasksOfAllShardsToTheOthers() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = publish(board, app, 3, 1);
            var first = takesPart(board, new TestPod("a", REDIS.port(), TestPod.DEADLY), job);
            awaitLayout(board, job, "|3|");
            enqueue(first, 0, 30, "3s");
            first.kill();
            try (var second = takesPart(board, new TestPod("b", REDIS.port(), TestPod.DEADLY), job)) {
                await().atMost(PATIENCE).until(() -> tasksOf(app).size() == 30);
                await().atMost(PATIENCE)
                        .until(() -> second.metric("soloist_adopted_segments_total{djob=\"mail\"}") >= 3);
            } finally {
                first.close();
            }
        }
    }

    @Test
    void aJobThatFillsItsRoomTakesFromEveryShardInTurn() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            app.does(TestApp.taking(Duration.ofMillis(20)));
            var job = publish(board, app, 4, 1);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                awaitLayout(board, job, "|4|");
                enqueue(a, 0, 400, "0");
                await().atMost(PATIENCE).until(() -> app.calls().size() >= 100);

                var homes = app.calls().stream()
                        .limit(100)
                        .collect(Collectors.groupingBy(
                                call -> Homes.of(TaskId.of(call.header("Soloist-Task")), 4), Collectors.counting()));
                assertThat(homes).hasSize(4);
                assertThat(homes.values()).allMatch(count -> count >= 5);
            }
        }
    }

    @Test
    void emptyShardsCostLittle() {
        // Both in the same seconds: what this machine does meanwhile happens to both.
        try (var server = new RedisProcess().start();
                var few = new Board(REDIS);
                var many = new Board(server);
                var app = new TestApp()) {
            try (var _ = idle(few, REDIS, app, 1);
                    var _ = idle(many, server, app, 12)) {
                long fewBefore = scripts(few);
                long manyBefore = scripts(many);
                await().atMost(PATIENCE).until(() -> scripts(few) - fewBefore >= 40);
                double times = (double) (scripts(many) - manyBefore) / (scripts(few) - fewBefore);

                System.out.printf("an idle pod of 12 shards sends %.1f times the commands of one of 1 shard%n", times);
                assertThat(times).isLessThan(10);
            }
        }
    }

    private static TestPod idle(Board board, RedisProcess redis, TestApp app, int shards) {
        var job = publish(board, app, shards, 1);
        var pod = takesPart(board, new TestPod("idle" + shards, redis.port()), job);
        if (shards > 1) {
            awaitLayout(board, job, "|" + shards + "|");
        }
        return pod;
    }

    private static long scripts(Board board) {
        var calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)").matcher(board.link.info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static JobDefinition publish(Board board, TestApp app, int shards, long generation) {
        return publish(board, app, shards, generation, Transport.LIST);
    }

    private static JobDefinition publish(Board board, TestApp app, int shards, long generation, Transport transport) {
        var job =
                Jobs.delayed("mail", app.port(), work -> work.withShards(shards).with(transport));
        return board.publish(
                new JobDefinition(
                        job.id(),
                        job.uid(),
                        generation,
                        job.term(),
                        false,
                        job.trigger(),
                        job.policy(),
                        job.work(),
                        job.eventLogLength()),
                Duration.ZERO);
    }

    private static TestPod takesPart(Board board, TestPod pod, JobDefinition job) {
        board.assign(pod.uid, job);
        await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        return pod;
    }

    private static void awaitLayout(Board board, JobDefinition job, String end) {
        await().atMost(PATIENCE)
                .until(() -> board.link.call("GET", board.keys.layout(job.id())).stream()
                        .anyMatch(text -> text instanceof byte[] bytes
                                && new String(bytes, StandardCharsets.UTF_8).contains("|OPEN|")
                                && new String(bytes, StandardCharsets.UTF_8).contains(end)));
    }

    private static long recorded(Board board, JobDefinition job, int shard) {
        List<Object> reply = board.link.call("HLEN", board.keys.ofShard(shard).tasks(job.id()));
        return (Long) reply.getFirst();
    }

    private static void enqueue(TestPod pod, int from, int to, String delay) {
        for (int first = from; first < to; first += 40) {
            var body = IntStream.range(first, Math.min(to, first + 40))
                    .mapToObj(i -> "{\"id\":\"%s\",\"delay\":\"%s\"}".formatted(id(i), delay))
                    .collect(Collectors.joining(",", "[", "]"));
            await().until(() -> pod.post("/v1/jobs/mail/tasks", body).statusCode() == 202);
        }
    }

    private static String id(int number) {
        return "t%03d".formatted(number);
    }

    private static Set<String> tasksOf(TestApp app) {
        return app.calls().stream().map(call -> call.header("Soloist-Task")).collect(Collectors.toSet());
    }
}
