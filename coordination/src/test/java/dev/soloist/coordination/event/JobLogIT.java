package dev.soloist.coordination.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The logs of several shards read as one: each event once, none passed over. */
class JobLogIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final int SHARDS = 3;

    private RedisLink link;
    private int span = SHARDS;
    private JobLog log;

    @BeforeEach
    void open() {
        link = REDIS.link();
        var scripts = new ScriptRunner(link);
        log = new JobLog(() -> span, number -> new EventLog(scripts, "log-" + number));
    }

    @AfterEach
    void close() {
        link.close();
    }

    private void add(int shard, long millis, long ordinal) {
        link.call(
                "XADD",
                "log-" + shard,
                millis + "-" + ordinal,
                "dead",
                shard + "/" + ordinal,
                "why",
                "SILENT",
                "attempts",
                "1",
                "due",
                "5",
                "error",
                "");
    }

    private JobEvents.Page after(EventCursor cursor, int max) {
        return (JobEvents.Page) log.after(cursor, max);
    }

    private static List<String> ids(List<JobEvent> events) {
        return events.stream().map(JobEvent::id).toList();
    }

    @Test
    void eventsOfAllShardsComeInTheOrderOfTheirMoments() {
        add(0, 100, 1);
        add(1, 50, 1);
        add(2, 100, 1);
        add(1, 200, 2);

        assertThat(ids(after(EventCursor.START, 10).events())).containsExactly("1:50-1", "100-1", "2:100-1", "1:200-2");
        assertThat(ids(((JobEvents.Page) log.newest(2)).events())).containsExactly("2:100-1", "1:200-2");
        assertThat(ids(after(EventCursor.after(new EventId(100, 0)), 10).events()))
                .containsExactly("100-1", "2:100-1", "1:200-2");
    }

    /** Shards lie on servers with clocks of their own: one that is behind writes before the point that was read to. */
    @Test
    void anEventOfAShardWhoseClockIsBehindIsNotPassedOver() {
        add(0, 1000, 1);
        var first = after(EventCursor.START, 10);
        add(1, 400, 1);

        var second = after(EventCursor.parse(first.next().toString()), 10);

        assertThat(ids(second.events())).containsExactly("1:400-1");
        assertThat(second.gap()).isFalse();
        assertThat(after(second.next(), 10).events()).isEmpty();
    }

    @Test
    void whilePodsWriteAndAReaderPagesEachEventIsReadOnce() {
        long seed = Long.getLong("soloist.seed", System.nanoTime());
        System.out.println("seed " + seed);
        var dice = new Random(seed);
        var written = new ArrayList<String>();
        var read = new ArrayList<String>();
        var ordinals = new long[SHARDS];
        var clocks = new long[SHARDS];
        String cursor = EventCursor.START.toString();
        for (int i = 0; i < 300; i++) {
            int shard = dice.nextInt(SHARDS);
            clocks[shard] += dice.nextInt(20);
            add(shard, clocks[shard], ++ordinals[shard]);
            written.add((shard == 0 ? "" : shard + ":") + clocks[shard] + "-" + ordinals[shard]);
            if (dice.nextInt(4) == 0) {
                var page = after(EventCursor.parse(cursor), 1 + dice.nextInt(5));
                assertThat(page.gap()).isFalse();
                read.addAll(ids(page.events()));
                cursor = page.next().toString();
            }
        }
        for (var page = after(EventCursor.parse(cursor), 7);
                !page.events().isEmpty();
                page = after(EventCursor.parse(page.next().toString()), 7)) {
            read.addAll(ids(page.events()));
            assertThat(page.more()).isEqualTo(read.size() < written.size());
        }
        assertThat(read).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void moreShardsAreReadFromTheirBeginningAndFewerAreLeftOut() {
        span = 1;
        add(0, 100, 1);
        var one = after(EventCursor.START, 10);
        assertThat(one.next().toString()).isEqualTo("100-1");

        span = 2;
        add(1, 50, 1);
        var two = after(EventCursor.parse("100-1"), 10);
        assertThat(ids(two.events())).containsExactly("1:50-1");

        span = 1;
        assertThat(after(two.next(), 10).gap()).isFalse();
    }

    /** A sidecar has 32 MB of heap, and those who write into the logs and those who ask choose how much there is. */
    @Test
    void howMuchIsReadForAPageDependsNeitherOnTheNumberOfLogsNorOnTheirTexts() {
        span = 64;
        for (int shard = 0; shard < span; shard++) {
            fill(shard, 200);
        }

        long before = sent();
        var page = after(EventCursor.START, EventLog.PAGE);

        assertThat(sent() - before).isLessThan(2_000_000);
        assertThat(page.events()).hasSizeBetween(100, 600);
        assertThat(page.more()).isTrue();
        assertThat(page.kept()).isEqualTo(64 * 200);
    }

    @Test
    void shortPagesPassOverNothingAndKeepTheOrder() {
        span = 5;
        for (int shard = 0; shard < span; shard++) {
            fill(shard, 300);
        }

        var read = new ArrayList<JobEvent>();
        JobEvents.Page page;
        EventCursor cursor = EventCursor.START;
        do {
            page = after(cursor, EventLog.PAGE);
            read.addAll(page.events());
            cursor = EventCursor.parse(page.next().toString());
        } while (page.more());

        assertThat(read).hasSize(1500).doesNotHaveDuplicates();
        assertThat(read).extracting(one -> one.event().id().millis()).isSorted();
        assertThat(after(cursor, EventLog.PAGE).events()).isEmpty();
    }

    /** Events with the longest texts that there are. */
    private void fill(int shard, int events) {
        link.call(
                "EVAL",
                "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], (1000 * i + ARGV[2]) .. '-' .. i, 'dead', 't' .. i, 'why',"
                        + " 'SILENT', 'attempts', '1', 'due', '5', 'error', string.rep('x', 1000)) end",
                "1",
                "log-" + shard,
                Integer.toString(events),
                Integer.toString(shard));
    }

    private long sent() {
        var info = new String((byte[]) link.call("INFO", "stats").getFirst(), StandardCharsets.UTF_8);
        return info.lines()
                .filter(line -> line.startsWith("total_net_output_bytes:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1", "1-", "-1", "1-1,2-1", "0:1-1,", "a:1-1", "0:1", "01-1", "1-99999999999999999999"})
    void whatIsNoPointIsRefused(String text) {
        assertThatThrownBy(() -> EventCursor.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-0", "1764468000000-41", "1764468000000-0", "0:5-1,2:7-0", "2:7-3"})
    void aPointIsReadAsItWasWritten(String text) {
        assertThat(EventCursor.parse(text).toString()).isEqualTo(text);
    }
}
