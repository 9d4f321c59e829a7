package dev.soloist.sidecar.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import dev.soloist.sidecar.json.GoDuration;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestPod;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases as an app has them: over the localhost API, from two pods, with what can break between them and the store. */
class AppLeasesIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXPORT = "/v1/leases/export";

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void oneAppHoldsItAndTheOtherGetsItWhenItIsGivenBack() {
        try (var one = pod("a");
                var two = pod("b")) {
            var held = acquire(one, "1m");

            var refused = two.post(EXPORT, "{}");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("type").asText()).endsWith("/lease-held");
            assertThat(json(refused).path("detail").asText()).contains("pod-a", held);
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isBetween(1L, 61L);

            assertThat(release(one, held).statusCode()).isEqualTo(204);
            assertThat(acquire(two, "1m")).isGreaterThan(held);
            assertThat(release(one, held).statusCode()).isEqualTo(204);
            assertThat(renew(one, held).statusCode()).isEqualTo(409);
        }
    }

    @Test
    void itIsUsableForLessThanTheStoreKeepsIt() {
        try (var pod = pod("a")) {
            assertThat(usableFor(pod, "long", "{\"ttl\":\"20s\"}"))
                    .isPositive()
                    .isLessThanOrEqualTo(Duration.ofSeconds(18));
            assertThat(usableFor(pod, "short", "{\"ttl\":\"1s\"}")).isLessThanOrEqualTo(Duration.ofMillis(500));
            assertThat(usableFor(pod, "default", "{}"))
                    .isGreaterThan(Duration.ofSeconds(18))
                    .isLessThanOrEqualTo(Duration.ofSeconds(27));
        }
    }

    /** Less than it might be when the store answered the second time only. */
    private static Duration usableFor(TestPod pod, String name, String body) {
        return GoDuration.parse(json(pod.post("/v1/leases/" + name, body))
                        .path("usableFor")
                        .asText())
                .orElseThrow();
    }

    @Test
    void anAppThatDoesNotRenewLosesItThoughItsSidecarLives() {
        try (var one = pod("a");
                var two = pod("b")) {
            var held = acquire(one, "1s");

            await().until(() -> two.post(EXPORT, "{}").statusCode() == 201);

            assertThat(json(renew(one, held)).path("type").asText()).endsWith("/lease-lost");
        }
    }

    @Test
    void aSidecarThatDiesTakesNoLeaseWithItAndTheAppRenewsThroughTheNextOne() {
        try (var one = pod("a");
                var two = pod("b")) {
            var held = acquire(one, "1m");
            one.kill();
            one.restart();
            await().until(() -> one.get("/v1/leases").statusCode() == 200);

            assertThat(renew(one, held).statusCode()).isEqualTo(200);
            assertThat(two.post(EXPORT, "{}").statusCode()).isEqualTo(409);
        }
    }

    @Test
    void aSidecarThatDiesForGoodHoldsTheLeaseUntilItsEndAndNotLonger() {
        try (var one = pod("a");
                var two = pod("b")) {
            acquire(one, "10s");
            one.kill();

            assertThat(two.post(EXPORT, "{}").statusCode()).isEqualTo(409);
            await().until(() -> two.post(EXPORT, "{}").statusCode() == 201);
        }
    }

    @Test
    void anAnswerThatIsLostOnTheWayFromTheStoreIsAskedForAgainBeforeTheAppNotices() {
        try (var redis = REDIS.link();
                var pod = pod("a")) {
            // Another answer than the lease's may be the first that is lost, and then it is not asked for at all.
            await().until(() -> {
                var answer = withItsFirstAnswerLost(redis, pod);
                return answer.statusCode() == 200
                        && renew(pod, json(answer).path("fence").asText()).statusCode() == 200;
            });
        }
    }

    private static HttpResponse<String> withItsFirstAnswerLost(RedisLink redis, TestPod pod) {
        var leases = new RedisKeys(Install.MAIN).leases(Jobs.NAMESPACE);
        redis.call("DEL", leases);
        await().until(() -> pod.get("/v1/leases").statusCode() == 200);
        pod.link.dropReplies();
        var healer = Thread.ofVirtual().start(() -> {
            await().until(() ->
                    (Long) redis.call("EXISTS", leases).getFirst() == 1 || pod.metric("soloist_store_up") == 0);
            pod.link.heal();
        });
        try {
            return pod.post(EXPORT, "{\"ttl\":\"1m\"}");
        } finally {
            join(healer);
        }
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRequestWithoutAnAnswerIsRepeatedUnderItsKeyAndIsTheSameLease() {
        try (var pod = pod("a")) {
            String[] key = {"Idempotency-Key", "export of today"};
            pod.link.dropReplies();
            var lost = pod.post(EXPORT, "{\"ttl\":\"1m\"}", key);
            assertThat(lost.statusCode()).isEqualTo(503);
            pod.link.heal();

            await().until(() -> pod.post(EXPORT, "{\"ttl\":\"1m\"}", key).statusCode() == 200);
            assertThat(pod.post(EXPORT, "{}").statusCode()).isEqualTo(409);
        }
    }

    @Test
    void anotherPodRevokesItAndItsHolderIsToldAndKeepsItUntilTheEnd() {
        try (var one = pod("a");
                var two = pod("b")) {
            var held = acquire(one, "10s");

            var revoked = release(two, held);
            assertThat(revoked.statusCode()).isEqualTo(202);
            assertThat(json(revoked).path("pod").asText()).isEqualTo("pod-a");

            assertThat(json(renew(one, held)).path("type").asText()).endsWith("/lease-revoked");
            assertThat(two.post(EXPORT, "{}").statusCode()).isEqualTo(409);
            assertThat(listed(two).getFirst().path("revoked").asBoolean()).isTrue();
            await().until(() -> two.post(EXPORT, "{}").statusCode() == 201);
        }
    }

    @Test
    void everyPodSeesAllLeasesOfTheNamespaceTheNextToEndFirst() {
        try (var one = pod("a");
                var two = pod("b")) {
            one.post("/v1/leases/late", "{\"ttl\":\"1h\"}");
            two.post("/v1/leases/soon", "{\"ttl\":\"30s\"}");

            assertThat(listed(one))
                    .extracting(lease -> lease.path("name").asText())
                    .containsExactly("soon", "late");
            assertThat(listed(one))
                    .extracting(lease -> lease.path("pod").asText())
                    .containsExactly("pod-b", "pod-a");
            assertThat(listed(one))
                    .extracting(lease -> lease.path("ttl").asText())
                    .containsExactly("30s", "3600s");
        }
    }

    @Test
    void moreLeasesThanAPageAreReadOneAfterAnother() {
        try (var pod = pod("a")) {
            for (int i = 0; i < 5; i++) {
                pod.post("/v1/leases/%7C" + i, "{\"ttl\":\"" + (30 + i) + "m\"}");
            }
            var names = new ArrayList<String>();
            var query = "?limit=2";
            for (int page = 0; page < 3; page++) {
                var answer = json(pod.get("/v1/leases" + query));
                answer.path("leases")
                        .forEach(lease -> names.add(lease.path("name").asText()));
                assertThat(answer.path("more").asBoolean()).isEqualTo(page < 2);
                query = "?limit=2&after=" + answer.path("next").asText();
            }

            assertThat(names).containsExactly("|0", "|1", "|2", "|3", "|4");
            for (var wrong : List.of("?after=x", "?after=1", "?limit=0", "?limit=1001", "?skip=1")) {
                assertThat(pod.get("/v1/leases" + wrong).statusCode()).as(wrong).isEqualTo(400);
            }
        }
    }

    @Test
    void theFenceRisesAlsoWhenTheStoreComesBackEmpty() {
        try (var one = pod("a");
                var two = pod("b")) {
            var held = acquire(one, "1m");
            try (var link = REDIS.link()) {
                link.call("FLUSHALL");
            }

            assertThat(json(renew(one, held)).path("type").asText()).endsWith("/lease-lost");
            assertThat(acquire(two, "1m")).isGreaterThan(held);
        }
    }

    @Test
    void noLeaseIsGivenOnAStoreThatMayEvictItAndOneThatIsHeldGoesOn() {
        try (var link = REDIS.link();
                var before = pod("a")) {
            var held = acquire(before, "1m");
            link.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            try (var after = pod("b")) {
                await().untilAsserted(() -> assertThat(json(after.post("/v1/leases/other", "{}"))
                                .path("type")
                                .asText())
                        .endsWith("/store-unsafe"));
                assertThat(renew(before, held).statusCode()).isEqualTo(200);
            } finally {
                link.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a%2Fb", "%7Bshop%7D", "%00", "app%2Fjob", "%F0%9F%94%92", "..", "%7C%7C"})
    void anyTextIsAName(String name) {
        try (var pod = pod("a")) {
            assertThat(pod.post("/v1/leases/" + name, "{}").statusCode()).isEqualTo(201);
            assertThat(pod.post("/v1/leases/" + name, "{}").statusCode()).isEqualTo(409);
            assertThat(listed(pod)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%FF", "é"})
    void whatIsNoTextOrTooLongIsRefused(String ending) {
        var name = ending.equals("é") ? "%C3%A9" + "x".repeat(255) : ending;
        try (var pod = pod("a")) {
            assertThat(pod.post("/v1/leases/" + name, "{}").statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"ttl\":\"999ms\"}",
                "{\"ttl\":\"61m\"}",
                "{\"ttl\":30}",
                "{\"ttl\":\"-5s\"}",
                "{\"ttl\":\"soon\"}",
                "{\"tll\":\"30s\"}",
                "[]",
                "7"
            })
    void aBodyThatIsNotUnderstoodIsRefused(String body) {
        try (var pod = pod("a")) {
            var answer = pod.post(EXPORT, body);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(json(answer).path("type").asText()).endsWith("/invalid-lease");
        }
    }

    @RepeatedTest(3)
    void ofTwoPodsThatAskAtOnceOneHoldsIt() throws Exception {
        try (var one = pod("a");
                var two = pod("b");
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = new CyclicBarrier(2);
            var asking = new ArrayList<Callable<Integer>>();
            for (var pod : List.of(one, two)) {
                asking.add(() -> {
                    start.await();
                    return pod.post(EXPORT, "{}").statusCode();
                });
            }
            var answers = new ArrayList<Integer>();
            for (var answer : pool.invokeAll(asking)) {
                answers.add(answer.get());
            }

            assertThat(answers).containsExactlyInAnyOrder(201, 409);
        }
    }

    @Test
    void f08_onAClusterAppsHaveLeasesAsOnOneServer() {
        try (var group = new ClusterGroup(0).start();
                var one = on(StoreFile.TOPOLOGY, "Cluster", group.address(), "a");
                var two = on(StoreFile.TOPOLOGY, "Cluster", group.address(), "b")) {
            usual(one, two);
        }
    }

    @Test
    void onAServerWithoutScriptsAppsHaveLeasesAsOnOneThatHasThem() {
        try (var pika = new PikaStandIn().start();
                var one = on(StoreFile.MODE, "Cas", "127.0.0.1:" + pika.port(), "a");
                var two = on(StoreFile.MODE, "Cas", "127.0.0.1:" + pika.port(), "b")) {
            usual(one, two);
        }
    }

    private static void usual(TestPod one, TestPod two) {
        await().until(() -> one.get("/v1/leases").statusCode() == 200
                && two.get("/v1/leases").statusCode() == 200);
        var held = acquire(one, "1m");
        assertThat(two.post(EXPORT, "{}").statusCode()).isEqualTo(409);
        assertThat(renew(one, held).statusCode()).isEqualTo(200);
        assertThat(release(two, held).statusCode()).isEqualTo(202);
        assertThat(renew(one, held).statusCode()).isEqualTo(409);
        assertThat(release(one, held).statusCode()).isEqualTo(204);
        assertThat(acquire(two, "1m")).isGreaterThan(held);
        assertThat(listed(one)).hasSize(1);
    }

    private static TestPod pod(String uid) {
        var pod = new TestPod(uid, REDIS.port());
        await().until(() -> pod.get("/v1/leases").statusCode() == 200);
        return pod;
    }

    private static TestPod on(StoreFile file, String content, String address, String uid) {
        return new TestPod(uid, Map.of(file, content, StoreFile.ADDRESS, address));
    }

    private static String acquire(TestPod pod, String ttl) {
        var answer = pod.post(EXPORT, "{\"ttl\":\"" + ttl + "\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json(answer).path("fence").asText();
    }

    private static HttpResponse<String> renew(TestPod pod, String fence) {
        return pod.send("PUT", EXPORT, "", "Soloist-Fence", fence);
    }

    private static HttpResponse<String> release(TestPod pod, String fence) {
        return pod.send("DELETE", EXPORT, "", "Soloist-Fence", fence);
    }

    private static List<JsonNode> listed(TestPod pod) {
        var leases = new ArrayList<JsonNode>();
        json(pod.get("/v1/leases")).path("leases").forEach(leases::add);
        return leases;
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.body(), e);
        }
    }
}
