package dev.soloist.coordination.cas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.Releasing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A write whose answer is lost, and which is done, is never done, or is done when nobody waits for it any more. */
class LateWriteIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final JobId JOB = new JobId("shop", "nightly");
    private static final InstanceId ALICE = new InstanceId("alice-uid-aaaaaa");
    private static final InstanceId BOB = new InstanceId("bob-uid-bbbbbb");
    private static final Nonce HERS = new Nonce("nonce-of-alice");
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    private enum Fate {
        DONE_WITHOUT_ANSWER,
        LATE
    }

    private final Deque<Fate> fates = new ArrayDeque<>();
    private final Deque<Runnable> underWay = new ArrayDeque<>();
    private byte[] shown;
    private Duration ahead = Duration.ZERO;
    private RedisLink link;
    private SingletonStore alice;
    private SingletonStore bob;

    @BeforeEach
    void open() {
        link = PIKA.link();
        alice = store(new CasCommands(this::send, () -> link.now().plus(ahead)));
        bob = store(new CasCommands(link));
        bob.seed(JOB, "uid", 1, "mark", link.now().minusMillis(5), false, new SpecRevision("1", "every 1h"));
    }

    @AfterEach
    void close() {
        link.close();
    }

    private static SingletonStore store(CasCommands commands) {
        return new SingletonStore(new ScriptRunner(new CasEngine(commands)), KEYS);
    }

    private List<Object> send(String command, List<byte[]> arguments) {
        Fate fate = command.equals("SET") ? fates.poll() : null;
        if (fate == Fate.LATE) {
            underWay.add(() -> link.callBytes(command, arguments));
        } else {
            List<Object> reply = link.callBytes(command, arguments);
            if (fate == null) {
                return reply;
            }
        }
        throw RedisUnavailable.refused("no answer, says the test");
    }

    private void arrive() {
        underWay.forEach(Runnable::run);
        underWay.clear();
    }

    private Claim claim(SingletonStore store, InstanceId instance, Nonce nonce, Instant notAfter) {
        return store.claim(JOB, new ClaimRequest(1, instance, "pod", nonce, TTL, notAfter));
    }

    private Instant soon() {
        return link.now().plusSeconds(2);
    }

    @Test
    void aWriteThatWasDoneIsKnownByReadingItBack() {
        fates.add(Fate.DONE_WITHOUT_ANSWER);

        Claim claim = claim(alice, ALICE, HERS, soon());

        assertThat(claim)
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claimed -> assertThat(claimed.grant().repeated()).isFalse());
        assertThat(bob.snapshot(JOB).current().owner()).isEqualTo(ALICE);
    }

    @Test
    void aWriteWhoseConfirmationIsLostTooIsKnownInTheEnd() {
        fates.addAll(List.of(Fate.DONE_WITHOUT_ANSWER, Fate.DONE_WITHOUT_ANSWER, Fate.LATE));

        assertThat(claim(alice, ALICE, HERS, soon())).isInstanceOf(Claim.Claimed.class);
        arrive();
        assertThat(bob.snapshot(JOB).current().owner()).isEqualTo(ALICE);
        assertThat(bob.snapshot(JOB).state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aWriteThatIsStillUnderWayIsMadeVoidByTheNextOne() {
        fates.add(Fate.LATE);

        Claim.Claimed claimed = (Claim.Claimed) claim(alice, ALICE, HERS, soon());
        arrive();

        assertThat(alice.renew(JOB, ALICE, HERS, TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(bob.snapshot(JOB).current().fence())
                .isEqualTo(claimed.grant().fence());
    }

    @Test
    void anEqualWriteOfAnotherIsNotTakenForOnesOwn() {
        var overtaken = new CasCommands(
                (command, arguments) -> {
                    if (command.equals("SET") && shown == null) {
                        shown = arguments.get(1);
                        assertThat(bob.promote(JOB)).isTrue();
                        throw RedisUnavailable.refused("no answer, says the test");
                    }
                    return link.callBytes(command, arguments);
                },
                link::now);

        assertThat(store(overtaken).promote(JOB)).isFalse();
    }

    /** The second look says "too late" and would write nothing: then the first write could still land afterwards. */
    @Test
    void l06_noWriteLandsAfterACallWasAnswered() {
        fates.add(Fate.LATE);
        Instant notAfter = link.now().plusMillis(500);
        Claim claim = store(new CasCommands(
                        (command, arguments) -> {
                            try {
                                return send(command, arguments);
                            } catch (RedisUnavailable e) {
                                ahead = Duration.ofSeconds(1);
                                throw e;
                            }
                        },
                        () -> link.now().plus(ahead)))
                .claim(JOB, new ClaimRequest(1, ALICE, "pod", HERS, TTL, notAfter));
        assertThat(claim).isInstanceOf(Claim.TooLate.class);

        arrive();

        assertThat(bob.snapshot(JOB).state()).isEqualTo(SingletonState.DELAYED);
        assertThat(claim(bob, BOB, Nonce.create(), soon())).isInstanceOf(Claim.Claimed.class);
    }

    /** The call failed, so its write may land at any time: at worst it takes a lease that ends as it was asked for. */
    @Test
    void l06_aClaimThatLandsAfterItWasGivenUpIsFreeAsSoonAsItIsReleased() {
        giveUp();
        arrive();
        assertThat(bob.snapshot(JOB).current().leaseEnd()).isBefore(link.now().plus(TTL));

        assertThat(alice.release(JOB, ALICE, HERS)).isInstanceOf(Releasing.Released.class);
        assertThat(claim(bob, BOB, Nonce.create(), soon())).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void l06_aClaimThatWasReleasedBeforeItLandsWinsNothing() {
        giveUp();
        assertThat(alice.release(JOB, ALICE, HERS)).isInstanceOf(Releasing.SpentOnly.class);
        arrive();

        assertThat(claim(bob, BOB, Nonce.create(), soon())).isInstanceOf(Claim.Claimed.class);
        assertThat(claim(alice, ALICE, HERS, soon())).isInstanceOf(Claim.Spent.class);
    }

    private void giveUp() {
        for (int i = 0; i < 10_000; i++) {
            fates.add(Fate.LATE);
        }
        assertThatThrownBy(() -> claim(alice, ALICE, HERS, soon())).isInstanceOf(RedisUnavailable.class);
        fates.clear();
        Runnable first = underWay.getFirst();
        underWay.clear();
        underWay.add(first);
    }

    @Test
    void l07_aRenewalThatLandsLateDoesNotOutliveWhatItAskedFor() {
        claim(alice, ALICE, HERS, soon());
        for (int i = 0; i < 10_000; i++) {
            fates.add(Fate.LATE);
        }
        assertThatThrownBy(() -> alice.renew(JOB, ALICE, HERS, TTL)).isInstanceOf(RedisUnavailable.class);
        Instant whenGivenUp = link.now();
        arrive();

        assertThat(bob.snapshot(JOB).current().leaseEnd()).isBeforeOrEqualTo(whenGivenUp.plus(TTL));
    }

    @Test
    void aServerThatShowsWhatItRefusedIsNotTrusted() {
        var lying = new CasCommands(
                (command, arguments) -> {
                    if (command.equals("SET")) {
                        shown = arguments.get(1);
                        return List.of(-1L);
                    }
                    return command.equals("GET") && shown != null ? List.of(shown) : link.callBytes(command, arguments);
                },
                link::now);

        assertThatThrownBy(() -> claim(store(lying), ALICE, HERS, soon()))
                .isInstanceOf(RedisUnavailable.class)
                .hasMessageContaining("cache-model 0");
    }

    /** As above, but the refusal itself is lost: what the server shows is not believed, what it compares with is. */
    @Test
    void aWriteThatWasRefusedWithoutAnAnswerIsNotTakenForDone() {
        var lying = new CasCommands(
                (command, arguments) -> {
                    if (command.equals("SET") && shown == null) {
                        shown = arguments.get(1);
                        throw RedisUnavailable.refused("no answer, says the test");
                    }
                    return command.equals("GET") && shown != null ? List.of(shown) : link.callBytes(command, arguments);
                },
                link::now);

        assertThatThrownBy(() -> claim(store(lying), ALICE, HERS, soon())).isInstanceOf(RedisUnavailable.class);
        assertThat(bob.snapshot(JOB).state()).isEqualTo(SingletonState.DELAYED);
    }
}
