package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static dev.soloist.coordination.delayed.QueueUnderTest.sweep;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same storm without scripts; the server cuts its clients, and dies in the middle of what it moves between lists. */
@ExtendWith(ThroughPika.class)
class CasDelayedClusterIT extends DelayedClusterIT {

    @Override
    int port() {
        return pika().port();
    }

    @Override
    QueueUnderTest open() {
        return new QueueUnderTest(pika().link());
    }

    /** A call is a dozen commands, each of which may be struck. */
    @Override
    int enough() {
        return 100;
    }

    @Override
    void strike(QueueUnderTest q, Random dice) {
        if (dice.nextBoolean()) {
            pika().cutAllClients();
        } else {
            pika().crashInTheMiddleOfTheNextMultiKeyWrite();
        }
    }

    /** An entry that was left behind is a hint: sweeping drops it. */
    @Override
    void indexesAreInStep(QueueUnderTest q) {
        await().until(() -> {
            q.queue.sweepToShared(sweep(100));
            return q.zset(KEYS.inFlight(JOB)).isEmpty();
        });
    }

    private static PikaStandIn pika() {
        return BehindPika.running().pika();
    }
}
