package dev.soloist.coordination.delayed;

import static dev.soloist.coordination.delayed.QueueUnderTest.JOB;
import static dev.soloist.coordination.delayed.QueueUnderTest.KEYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the tests of delayed tasks say of a server with scripts holds without them, too. A method that is overridden here
 * without being a test is about a fact of the scripts, as its comment says; one that is a test says what holds instead.
 */
@ExtendWith(BehindPika.class)
class CasContractIT {

    @Nested
    class Enqueueing extends EnqueueIT {

        /** The server itself forgets finished ids. */
        @Override
        void eachEnqueueForgetsTenIdsWhoseRetentionIsOver() {}
    }

    @Nested
    class EnqueueingAll extends EnqueueAllIT {

        @Override
        void onlyWithScripts(Runnable check) {}

        @Test
        void aPriorityIsRefusedWithAReason() {
            try (var q = new QueueUnderTest(REDIS.link())) {
                InstanceId me = q.member();
                NewTask plain = QueueUnderTest.task("a", When.now(), OnDuplicate.REJECT);
                var high = new NewTask(
                        plain.id(),
                        plain.payload(),
                        plain.when(),
                        plain.requestKey(),
                        OnDuplicate.REJECT,
                        Priority.HIGH);

                assertThat(q.queue.enqueue(me, high)).isEqualTo(new Enqueue.Refused(Enqueue.Reason.NO_PRIORITIES));
                assertThat(q.queue.enqueue(me, plain)).isInstanceOf(Enqueue.Accepted.class);
            }
        }
    }

    @Nested
    class Moving extends MoveIT {

        /** There is one priority. */
        @Override
        void priorityDigitsChooseTheList() {}
    }

    @Nested
    class Reserving extends ReserveIT {

        /** There is one priority. */
        @Override
        void theHighestListIsServedFirstButTheLowestDoesNotStarve() {}
    }

    @Nested
    class Acknowledging extends AckIT {

        /** The server forgets them by itself, at whole seconds. */
        @Override
        @Test
        void theIdsOfBusyQueuesAreForgottenAsFastAsTheyCome() {
            try (var q = new QueueUnderTest(REDIS.link())) {
                var shortly = new QueueUnderTest(q.link, QueueLimits.DEFAULT.withRetention(Duration.ofMillis(1)));
                Held held = shortly.held(q.member(), "a", QueueUnderTest.MINUTE).held();
                assertThat(shortly.queue.ack(held)).isEqualTo(Ack.ACKED);
                assertThat(q.zset(KEYS.doneExpiry(JOB)).get("a"))
                        .isLessThanOrEqualTo(q.link.now().toEpochMilli() + 1000);
                await().until(() -> q.queue.inspect(TaskId.of("a")).isEmpty());
            }
        }
    }

    @Nested
    class GivingBack extends GiveBackIT {}

    @Nested
    class Extending extends ExtendIT {}

    @Nested
    class Cancelling extends CancelIT {

        /** It calls a script by itself; see {@code CasRacesIT} for the same race. */
        @Override
        void tidyingUpAfterACancellationSparesTheEntryOfANewLife() {}
    }

    @Nested
    class Rescheduling extends RescheduleIT {}

    @Nested
    class Sweeping extends SweepIT {

        @Override
        int manyTasks() {
            return 500;
        }
    }

    @Nested
    class Duplicates extends OnDuplicateIT {}

    @Nested
    class Postponing extends PostponeIT {}

    @Nested
    class Ids extends TaskIdIT {}

    @Nested
    class Payloads extends PayloadIT {

        /** It measures a hash. */
        @Override
        void p04_binaryIsStoredAsItIsAndNotBlownUp() {}
    }

    @Nested
    class DeadLetters extends DeadLettersIT {

        /** The server itself forgets finished ids. */
        @Override
        void finishedIdsAreForgottenAHundredAtATime() {}
    }

    @Nested
    class Counting extends CountsIT {}

    @Nested
    class Inspecting extends InspectIT {}

    @Nested
    class Repairing extends RepairIT {

        /** The record knows the deadline: see {@code CasRepairIT}. */
        @Override
        void w01_aHeldTaskWhoseDeadlineWasRemovedByHandIsDeliveredAgain() {}

        /** A task is one record, not two. */
        @Override
        void anAttemptWithoutATaskIsRemovedFromEveryIndex() {}

        /** The server itself forgets finished ids. */
        @Override
        void aFinishedIdWithoutAnEndOfItsRetentionIsForgottenInTime() {}

        /** It removes every key but two hashes: see {@code CasRepairIT}. */
        @Override
        void nothingThatARecordKnowsIsLostWithTheIndexes() {}

        /** It removes the hash of the instances: see {@code CasRepairIT}. */
        @Override
        void theTasksOfASegmentThatNobodyKnowsAnyMoreGoToTheSharedOne() {}
    }

    @Nested
    class Racing extends RacesIT {

        /** Two movers of one segment may hint at a task twice: see {@code CasRacesIT}. */
        @Override
        void twoMoversOfOneSegmentMoveEachTaskOnce() {}

        /** An enqueue is several commands, so a fence may come between: see {@code CasRacesIT}. */
        @Override
        void anEnqueueThatRacesAFenceIsEitherAdoptedOrRefused() {}

        /** As above. */
        @Override
        void aLateEnqueueOfAFencedInstanceNeverLandsInADroppedSegment() {}
    }
}
