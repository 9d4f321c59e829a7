package dev.soloist.coordination.lease;

import static dev.soloist.coordination.lease.LeasesUnderTest.ALICE;
import static dev.soloist.coordination.lease.LeasesUnderTest.BOB;
import static dev.soloist.coordination.lease.LeasesUnderTest.NAME;
import static dev.soloist.coordination.lease.LeasesUnderTest.NAMESPACE;
import static dev.soloist.coordination.lease.LeasesUnderTest.TTL;
import static dev.soloist.coordination.lease.LeasesUnderTest.fence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases by name: one holder, a rising fence, an end that nobody has to be alive for. */
class LeasesIT {

    private static final Duration SHORT = Duration.ofMillis(200);

    @RegisterExtension
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private LeasesUnderTest test;

    @BeforeEach
    void open() {
        test = new LeasesUnderTest(REDIS);
    }

    @AfterEach
    void close() {
        test.close();
    }

    private List<LeaseView> listed() {
        return test.leases.list().leases();
    }

    @Test
    void theFirstHoldsItAndTheSecondIsToldWhoAndForHowLong() {
        var first = fence(test.acquire(ALICE));

        assertThat(test.acquire(BOB)).isInstanceOfSatisfying(Acquisition.Held.class, held -> {
            assertThat(held.pod()).isEqualTo("alice");
            assertThat(held.fence()).isEqualTo(first);
            assertThat(held.remaining()).isBetween(TTL.dividedBy(4), TTL);
            assertThat(held.revoked()).isFalse();
        });
    }

    @Test
    void anotherWishOfTheSamePodIsRefusedToo() {
        test.acquire(ALICE);

        assertThat(test.acquire(ALICE)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void aWishRepeatedAfterALostReplyGetsTheSameFence() {
        var nonce = Nonce.create();
        var first = fence(test.leases.acquire(NAME, ALICE, nonce, TTL));

        assertThat(test.leases.acquire(NAME, ALICE, nonce, TTL))
                .isInstanceOfSatisfying(Acquisition.Acquired.class, again -> {
                    assertThat(again.repeated()).isTrue();
                    assertThat(again.fence()).isEqualTo(first);
                    assertThat(again.remaining()).isEqualTo(TTL);
                });
    }

    @Test
    void aNonceOfSomebodyElseGivesNothing() {
        var nonce = Nonce.create();
        test.leases.acquire(NAME, ALICE, nonce, TTL);

        assertThat(test.leases.acquire(NAME, BOB, nonce, TTL)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void aLeaseThatNobodyRenewsIsFreeAtItsEnd() {
        var first = test.acquired(ALICE, SHORT);

        await().until(() -> test.acquire(BOB) instanceof Acquisition.Acquired(Fence fence, var _, var _, var _)
                && fence.compareTo(first) > 0);
        assertThat(test.leases.renew(NAME, ALICE, first)).isEqualTo(new LeaseRenewal.Lost());
        assertThat(test.leases.release(NAME, ALICE, first)).isEqualTo(new LeaseRelease.Gone());
        assertThat(test.acquire(ALICE)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void aLeaseThatIsOverIsNeverRenewedThoughNobodyElseHasIt() {
        var fence = test.acquired(ALICE, SHORT);
        await().until(() -> listed().isEmpty());

        assertThat(test.leases.renew(NAME, ALICE, fence)).isEqualTo(new LeaseRenewal.Lost());
    }

    @Test
    void renewalsHoldItBeyondItsFirstEnd() {
        var fence = test.acquired(ALICE, Duration.ofSeconds(3));
        long begun = System.nanoTime();

        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            assertThat(test.leases.renew(NAME, ALICE, fence)).isInstanceOf(LeaseRenewal.Renewed.class);
            return System.nanoTime() - begun > Duration.ofSeconds(4).toNanos();
        });
        assertThat(test.acquire(BOB)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void onlyTheHolderAndOnlyByItsFenceMayRenew() {
        var fence = fence(test.acquire(ALICE));

        assertThat(test.leases.renew(NAME, BOB, fence)).isEqualTo(new LeaseRenewal.Lost());
        assertThat(test.leases.renew(NAME, ALICE, new Fence(0, fence.sequence() + 1)))
                .isEqualTo(new LeaseRenewal.Lost());
        assertThat(test.leases.renew(new LeaseName("other"), ALICE, fence)).isEqualTo(new LeaseRenewal.Lost());
    }

    @Test
    void givingBackFreesItAtOnceAndARepeatHarmsNobody() {
        var fence = fence(test.acquire(ALICE));

        assertThat(test.leases.release(NAME, ALICE, fence)).isEqualTo(new LeaseRelease.Released());
        var second = fence(test.acquire(BOB));
        assertThat(second).isGreaterThan(fence);
        assertThat(test.leases.release(NAME, ALICE, fence)).isEqualTo(new LeaseRelease.Gone());
        assertThat(test.leases.renew(NAME, BOB, second)).isInstanceOf(LeaseRenewal.Renewed.class);
    }

    @Test
    void anotherPodCannotGiveItBack() {
        var fence = fence(test.acquire(ALICE));

        assertThat(test.leases.release(NAME, BOB, fence)).isInstanceOf(LeaseRelease.Foreign.class);
        assertThat(test.acquire(BOB)).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    void aRevokedLeaseIsItsHoldersUntilItsEndAndNotLonger() {
        var fence = test.acquired(ALICE, Duration.ofSeconds(1));

        assertThat(test.leases.revoke(NAME, fence))
                .isInstanceOfSatisfying(
                        Revocation.Revoked.class,
                        revoked -> assertThat(revoked.pod()).isEqualTo("alice"));
        assertThat(test.leases.renew(NAME, ALICE, fence)).isInstanceOf(LeaseRenewal.Revoked.class);
        assertThat(test.acquire(BOB))
                .isInstanceOfSatisfying(
                        Acquisition.Held.class,
                        held -> assertThat(held.revoked()).isTrue());
        await().until(() -> test.acquire(BOB) instanceof Acquisition.Acquired);
        assertThat(test.leases.revoke(NAME, fence)).isEqualTo(new Revocation.Gone());
    }

    @Test
    void aWishThatIsRepeatedDoesNotUndoARevocation() {
        var nonce = Nonce.create();
        var fence = fence(test.leases.acquire(NAME, ALICE, nonce, TTL));
        test.leases.revoke(NAME, fence);

        assertThat(test.leases.acquire(NAME, ALICE, nonce, TTL)).isInstanceOf(Acquisition.Held.class);
        assertThat(test.leases.release(NAME, ALICE, fence)).isEqualTo(new LeaseRelease.Released());
        assertThat(test.acquire(ALICE)).isInstanceOf(Acquisition.Acquired.class);
    }

    @Test
    void fencesRiseOverAllNamesOfTheNamespace() {
        var last = new Fence(0, 0);
        for (int i = 0; i < 200; i++) {
            var fence = fence(test.leases.acquire(new LeaseName("n" + i), ALICE, Nonce.create(), TTL));
            assertThat(fence).isGreaterThan(last);
            last = fence;
        }
    }

    @Test
    void theFenceRisesAlsoWhenAllDataWereLost() {
        var before = fence(test.acquire(ALICE));
        for (var key :
                List.of(test.keys.leases(NAMESPACE), test.keys.leaseEnds(NAMESPACE), test.keys.leaseFence(NAMESPACE))) {
            REDIS.call(test.link, "DEL", key);
        }

        assertThat(test.leases.renew(NAME, ALICE, before)).isEqualTo(new LeaseRenewal.Lost());
        assertThat(fence(test.acquire(BOB))).isGreaterThan(before);
    }

    @Test
    void aLostIndexFreesNoLease() {
        var fence = fence(test.acquire(ALICE));
        REDIS.call(test.link, "DEL", test.keys.leaseEnds(NAMESPACE));

        assertThat(test.acquire(BOB)).isInstanceOf(Acquisition.Held.class);
        assertThat(test.leases.renew(NAME, ALICE, fence)).isInstanceOf(LeaseRenewal.Renewed.class);
        assertThat(listed()).extracting(LeaseView::name).containsExactly("export");
    }

    @Test
    void allAreListedTheNextToEndFirstAndThoseThatAreOverNever() {
        var over = new LeaseName("over");
        test.leases.acquire(over, ALICE, Nonce.create(), Duration.ofMillis(1));
        test.leases.acquire(new LeaseName("late"), ALICE, Nonce.create(), Duration.ofMinutes(5));
        var soon = fence(test.leases.acquire(new LeaseName("sóon|}"), BOB, Nonce.create(), TTL));
        test.leases.revoke(new LeaseName("sóon|}"), soon);
        await().until(() -> listed().size() == 2);

        assertThat(listed()).extracting(LeaseView::name).containsExactly("sóon|}", "late");
        assertThat(listed().getFirst()).isInstanceOfSatisfying(LeaseView.OfApp.class, view -> {
            assertThat(view.holder()).isEqualTo(BOB);
            assertThat(view.fence()).isEqualTo(soon);
            assertThat(view.revoked()).isTrue();
            assertThat(view.remaining()).isBetween(TTL.dividedBy(4), TTL);
        });
        assertThat(test.leases.endingWithin(Duration.ofMinutes(1)).leases())
                .extracting(LeaseView::name)
                .containsExactly("sóon|}");
        assertThat(test.leases.list().more()).isFalse();
    }

    @Test
    void whatIsOverIsRemovedABoundedNumberAtATime() {
        for (int i = 0; i < 50; i++) {
            test.leases.acquire(new LeaseName("short-" + i), ALICE, Nonce.create(), Duration.ofMillis(1));
        }
        await().until(() -> listed().isEmpty());
        long kept = kept();

        test.acquire(ALICE);

        assertThat(kept() - 1).isBetween(Math.max(0, kept - 16), Math.max(0, kept - 1));
    }

    private long kept() {
        return (Long)
                REDIS.call(test.link, "ZCARD", test.keys.leaseEnds(NAMESPACE)).getFirst();
    }

    @Test
    void aNamespaceHasNoMoreLeasesThanItMayAndAnEndMakesRoom() {
        var few = new Leases(test.scripts, test.keys, NAMESPACE, 3);
        for (int i = 0; i < 2; i++) {
            few.acquire(new LeaseName("n" + i), ALICE, Nonce.create(), TTL);
        }
        few.acquire(new LeaseName("short"), ALICE, Nonce.create(), Duration.ofSeconds(3));

        assertThat(few.acquire(NAME, BOB, Nonce.create(), TTL)).isEqualTo(new Acquisition.Full());
        await().until(() -> few.acquire(NAME, BOB, Nonce.create(), TTL) instanceof Acquisition.Acquired);
    }

    @Test
    void namespacesDoNotKnowOfEachOther() {
        test.acquire(ALICE);
        var other = new Leases(test.scripts, test.keys, "other");

        assertThat(other.list().leases()).isEmpty();
        assertThat(other.acquire(NAME, BOB, Nonce.create(), TTL)).isInstanceOf(Acquisition.Acquired.class);
    }

    /** Many of the same end, and more than one look returns. */
    @Test
    void whoReadsOnSeesEachLeaseOnceInTheOrderOfTheirEnds() {
        long end = test.link.now().plusSeconds(3600).toEpochMilli();
        var names = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            // The same byte order, and not the same order of words, with and without capitals and accents.
            names.add(List.of("a", "B", "\u00e4", "Z").get(i % 4) + i);
            put(names.get(i), end + i / 25);
        }
        for (int wanted : new int[] {1, 7, 24, 25, 26, 60}) {
            var seen = new ArrayList<LeaseView>();
            @Nullable LeasePoint point = LeasePoint.START;
            while (point != null) {
                var page = test.leases.list(
                        LeasePoint.START.equals(point) ? point : LeasePoint.parse(point.toString()), wanted);
                assertThat(page.leases()).hasSizeLessThanOrEqualTo(wanted);
                seen.addAll(page.leases());
                assertThat(seen).hasSizeLessThanOrEqualTo(names.size());
                point = page.next();
            }

            assertThat(seen).extracting(LeaseView::name).as("by %s", wanted).containsExactlyInAnyOrderElementsOf(names);
            assertThat(seen).extracting(LeaseView::endsAt).isSorted();
        }
    }

    @Test
    void whoReadsOnFromALeaseThatIsGoneOrRenewedMissesNoOther() {
        long end = test.link.now().plusSeconds(3600).toEpochMilli();
        for (var name : List.of("a", "b", "c", "d")) {
            put(name, end);
        }
        var first = test.leases.list(LeasePoint.START, 2);
        put("b", end + 10_000);

        var second = test.leases.list(Objects.requireNonNull(first.next()), 10);

        assertThat(second.leases()).extracting(LeaseView::name).containsExactly("c", "d", "b");
        assertThat(second.next()).isNull();
        assertThat(test.leases.list(new LeasePoint(1, "YQ"), 10).leases()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.", ".YQ", "0.YQ", "1.Y", "1.Y=", "x.YQ", "1.Y/Q", "1234567890123456.YQ"})
    void whatIsNoPointIsRefused(String text) {
        assertThatThrownBy(() -> LeasePoint.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private void put(String name, long end) {
        test.leases.acquire(new LeaseName(name), ALICE, Nonce.create(), TTL);
        REDIS.call(test.link, "ZADD", test.keys.leaseEnds(NAMESPACE), Long.toString(end), "app/" + name);
    }

    @RepeatedTest(5)
    void ofManyThatAskAtOnceOneHoldsIt() throws Exception {
        int racers = 6;
        var start = new CyclicBarrier(racers);
        var links = new ArrayList<RedisLink>();
        var racing = new ArrayList<Callable<Acquisition>>();
        for (int i = 0; i < racers; i++) {
            var link = REDIS.link();
            links.add(link);
            var leases = new Leases(REDIS.scripts(link), test.keys, NAMESPACE);
            var me = new LeaseHolder("pod-" + i, "pod-" + i);
            racing.add(() -> {
                start.await();
                return leases.acquire(NAME, me, Nonce.create(), TTL);
            });
        }
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Acquisition>();
            for (var answer : pool.invokeAll(racing)) {
                answers.add(answer.get());
            }
            assertThat(answers)
                    .filteredOn(Acquisition.Acquired.class::isInstance)
                    .hasSize(1);
        } finally {
            links.forEach(RedisLink::close);
        }
    }
}
