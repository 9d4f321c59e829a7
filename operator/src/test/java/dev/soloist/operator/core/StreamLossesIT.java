package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** People are told of each loss of a job's stream, and of no other job's. */
class StreamLossesIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private Store store;
    private StreamLosses losses;

    @BeforeEach
    void open() {
        link = REDIS.link();
        store = new Store(link, Install.MAIN);
        losses = new StreamLosses(store);
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void aLossIsToldOnce() {
        lost("1");

        assertThat(told("uid-1")).contains(1L);
        assertThat(told("uid-1")).isEmpty();
        lost("2");
        assertThat(told("uid-1")).contains(2L);
        assertThat(told("uid-1")).isEmpty();
    }

    @Test
    void aJobMadeAgainUnderItsNameIsNotTakenToHaveBeenToldOfWhatItsForerunnerLost() {
        lost("3");
        assertThat(told("uid-1")).contains(3L);

        link.call("DEL", mark());
        assertThat(told("uid-2")).isEmpty();
        lost("2");

        assertThat(told("uid-2")).contains(2L);
    }

    @Test
    void aNamesakeThatHasLostSomethingBeforeTheFirstLookIsToldOfIt() {
        lost("3");
        assertThat(told("uid-1")).contains(3L);

        link.call("DEL", mark());
        lost("2");

        assertThat(told("uid-2")).contains(2L);
    }

    @Test
    void aCountThatBeganAnewWithAnEmptyStoreIsToldFromItsBeginning() {
        lost("3");
        assertThat(told("uid-1")).contains(3L);

        link.call("DEL", mark());
        lost("1");

        assertThat(told("uid-1")).contains(1L);
        assertThat(told("uid-1")).isEmpty();
    }

    private Optional<Long> told(String uid) {
        return losses.look(job(uid), Layout.SINGLE).map(state -> state.losses());
    }

    private void lost(String times) {
        link.call("HSET", mark(), "lost", times, "lostAt", "1000");
    }

    private String mark() {
        return store.keys().streamMark(job("any").id());
    }

    private static JobDefinition job(String uid) {
        var stream = new Transport.Stream(Duration.ofHours(1), 1000);
        return SampleJobs.job("mail", uid, SampleJobs.queue().with(stream));
    }
}
