package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.registration.Registration;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.core.LiveJobs.LiveJob;
import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What sidecars read of themselves when jobs, labels and operators come and go. */
class PodBoardIT {

    private static final Map<String, String> SHOP = Map.of("app", "shop");
    private static final Map<String, String> ELSEWHERE = Map.of("app", "elsewhere");

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private Store store;
    private LiveJobs jobs = new LiveJobs();
    private PodBoard board;

    @BeforeEach
    void open() {
        link = REDIS.link();
        store = new Store(link, Install.MAIN);
        restart();
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void aPodThatNoJobMeansAnyMoreIsToldSoInWords() {
        inForce("report", SHOP);
        board.write(pod());
        assertThat(names()).containsExactly("report");

        inForce("report", ELSEWHERE);
        board.write(pod());

        assertThat(read().known()).isTrue();
        assertThat(names()).isEmpty();
    }

    @Test
    void thePodsOfTheLastJobThatWentAreToldSoInWords() {
        inForce("report", SHOP);
        board.write(pod());

        jobs.remove(id("report"));
        store.registrations().withdraw(id("report"));
        board.write(pod());

        assertThat(read().known()).isTrue();
        assertThat(names()).isEmpty();
    }

    @Test
    void anOperatorThatHasJustBegunTakesNoJobFromAPodThatItHasNotMetYet() {
        inForce("report", SHOP);
        inForce("mail", SHOP);
        board.write(pod());

        restart();
        board.write(pod());
        assertThat(names()).containsExactlyInAnyOrder("report", "mail");

        inForce("report", SHOP);
        board.write(pod());
        assertThat(names()).containsExactlyInAnyOrder("report", "mail");

        inForce("mail", ELSEWHERE);
        board.write(pod());
        assertThat(names()).containsExactly("report");
    }

    @Test
    void aPodThatNobodyEverMeantLeavesNoEntry() {
        inForce("report", ELSEWHERE);

        board.write(pod());

        assertThat(store.registrations().assignments("shop")).isEmpty();
    }

    private void restart() {
        jobs = new LiveJobs();
        board = new PodBoard(store, jobs);
    }

    private void inForce(String name, Map<String, String> labels) {
        var backoff = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(5));
        var second = Duration.ofSeconds(1);
        var job = new JobDefinition(
                id(name),
                "uid-" + name,
                1,
                1,
                false,
                new Trigger(8080, "/", second),
                new LeasePolicy(
                        second.multipliedBy(30),
                        true,
                        second,
                        ReleasePolicy.ON_COMPLETION,
                        Duration.ZERO,
                        second,
                        second,
                        second),
                new DelayedWork(second, 5, backoff, 1, OnDuplicate.REJECT));
        store.registrations().publish(job);
        jobs.put(new LiveJob(job, labels));
    }

    private static JobId id(String name) {
        return new JobId("shop", name);
    }

    private static PodFacts pod() {
        return new PodFacts(
                "shop",
                "uid-1",
                "shop-1",
                SHOP,
                Participation.READY,
                Stage.LIVE,
                ContainerState.RUNNING,
                List.of(ContainerState.RUNNING));
    }

    private Registration read() {
        return store.registrations().read("shop", "uid-1");
    }

    private List<String> names() {
        return read().jobs().stream().map(job -> job.id().name()).toList();
    }
}
