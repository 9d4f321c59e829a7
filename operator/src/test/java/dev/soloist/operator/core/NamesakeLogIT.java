package dev.soloist.operator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.RedisProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that is deleted and made again under its name has an event log of its own. */
class NamesakeLogIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private Store store;
    private JobSeeding seeding;

    @BeforeEach
    void open() {
        link = REDIS.link();
        store = new Store(link, Install.MAIN);
        seeding = new JobSeeding(store);
    }

    @AfterEach
    void close() {
        link.close();
    }

    /** As at the end of a deletion that nobody finished: the tombstone stands, or the store has lost it, and the log has an end. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void theLogOfASingletonBeginsAnewForANewObjectAndNotForTheSameOne(Backend backend) {
        var old = SampleJobs.singleton("report", "uid-1", backend);
        var log = keys(backend).log(old.id());
        var memory = settled(old, Memory.NONE);
        write(log);
        settled(old, memory);
        settled(old, Memory.NONE);
        assertThat(length(log)).isOne();

        store.singletons(backend).delete(old.id(), "uid-1");
        link.call("PEXPIRE", log, "1000000");
        var next = SampleJobs.singleton("report", "uid-2", backend);
        var nextMemory = settled(next, Memory.NONE);
        assertThat(length(log)).isZero();
        write(log);
        settled(next, nextMemory);
        assertThat(length(log)).isOne();
        assertThat(link.call("PTTL", log)).containsExactly(-1L);

        link.call("DEL", keys(backend).record(old.id()), keys(backend).mark(old.id()));
        settled(SampleJobs.singleton("report", "uid-3", backend), Memory.NONE);
        assertThat(length(log)).isZero();
    }

    @Test
    void aLogThatOutlivedTheRecordOfTheSameObjectGoesOn() {
        var job = SampleJobs.singleton("report", "uid-1", Backend.STRING);
        var log = keys(Backend.STRING).log(job.id());
        var memory = settled(job, Memory.NONE);
        write(log);

        link.call("DEL", keys(Backend.STRING).record(job.id()));
        settled(job, memory);

        assertThat(length(log)).isOne();
    }

    @Test
    void theLogOfAQueueBeginsAnewForANewObjectAndNotForTheSameOne() {
        var old = SampleJobs.queue("mail", "uid-1");
        var log = store.keys().queueLog(old.id());
        settled(old, Memory.NONE);
        write(log);
        settled(old, Memory.NONE);
        assertThat(length(log)).isOne();

        settled(SampleJobs.queue("mail", "uid-2"), Memory.NONE);
        assertThat(length(log)).isZero();

        write(log);
        store.registrations().withdraw(old.id());
        settled(SampleJobs.queue("mail", "uid-3"), Memory.NONE);
        assertThat(length(log)).isZero();
    }

    private Memory settled(JobDefinition job, Memory memory) {
        var known = memory;
        for (int pass = 0; pass < 10; pass++) {
            var now = known;
            switch (seeding.ensure(job, now, () -> now)) {
                case Seeded.InForce(var kept) -> {
                    return kept;
                }
                case Seeded.RaiseTerm(var raised, var _) -> known = raised;
                default -> {}
            }
        }
        throw new AssertionError("not in force after ten passes: " + known);
    }

    private RedisKeys keys(Backend backend) {
        return backend == Backend.HASH ? store.keys().shared() : store.keys();
    }

    private void write(String log) {
        link.call("XADD", log, "1000-1", "dead", "t", "why", "SILENT", "attempts", "1", "due", "5", "error", "");
    }

    private long length(String log) {
        return (Long) link.call("XLEN", log).getFirst();
    }
}
