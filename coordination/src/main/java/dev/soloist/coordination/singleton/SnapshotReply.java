package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.ScriptReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the reply of {@code snapshot.lua}; the order of the fields is told here and there only. */
final class SnapshotReply {
    /** As in the script. */
    private static final List<String> FIELDS = List.of(
            "st",
            "gen",
            "term",
            "uid",
            "owner",
            "fence",
            "rterm",
            "lu",
            "due",
            "nb",
            "pend",
            "trig",
            "slot",
            "att",
            "pod",
            "startedAt",
            "lastRun",
            "lastStart",
            "lastEnd",
            "lastPod",
            "lastResult",
            "lastSuccess",
            "runs",
            "misses",
            "fails",
            "rev",
            "sched",
            "cancel",
            "paused",
            "del",
            "noack");

    private final ScriptReply reply;
    private final Map<String, String> fields;

    SnapshotReply(ScriptReply reply) {
        this.reply = reply;
        ScriptReply values = reply.array(4);
        if (values.size() != FIELDS.size()) {
            throw new IllegalStateException("snapshot.lua returned " + values.size() + " fields");
        }
        Map<String, String> read = new HashMap<>();
        for (int i = 0; i < FIELDS.size(); i++) {
            read.put(FIELDS.get(i), values.text(i));
        }
        this.fields = Map.copyOf(read);
    }

    SingletonSnapshot read() {
        SingletonState state = text("st").isEmpty() ? SingletonState.ABSENT : SingletonState.valueOf(text("st"));
        long left = reply.number(2);
        Instant hold = instant("nb");
        return new SingletonSnapshot(
                state,
                reply.instant(1),
                number("gen"),
                number("term"),
                text("uid"),
                reply.text(3),
                new SpecRevision(text("rev"), text("sched")),
                instant("slot"),
                instant("due"),
                hold == null ? Instant.EPOCH : hold,
                (int) number("att"),
                !text("trig").isEmpty(),
                instant("pend"),
                !text("paused").isEmpty(),
                !text("del").isEmpty(),
                state == SingletonState.RUNNING ? current() : null,
                left < 0 ? null : Duration.ofMillis(left),
                last(),
                instant("lastSuccess"),
                number("runs"),
                (int) number("misses"),
                (int) number("fails"),
                instant("noack"),
                history(reply.array(5)));
    }

    private @Nullable CurrentRun current() {
        Instant started = instant("startedAt");
        Instant leaseEnd = instant("lu");
        if (text("owner").isEmpty() || started == null || leaseEnd == null) {
            return null;
        }
        return new CurrentRun(
                new InstanceId(text("owner")),
                text("pod"),
                new Fence(number("rterm"), number("fence")),
                started,
                leaseEnd,
                text("cancel").equals(text("fence")));
    }

    private @Nullable LastRun last() {
        int slash = text("lastRun").indexOf('/');
        Instant start = instant("lastStart");
        Instant end = instant("lastEnd");
        if (slash < 0 || start == null || end == null) {
            return null;
        }
        return new LastRun(
                Long.parseLong(text("lastRun").substring(0, slash)),
                Fence.parse(text("lastRun").substring(slash + 1)),
                text("lastPod"),
                start,
                end,
                RunResult.valueOf(text("lastResult")));
    }

    private static List<RunSummary> history(ScriptReply entries) {
        List<RunSummary> runs = new ArrayList<>();
        for (int i = entries.size() - 1; i >= 0; i--) {
            runs.add(RunSummary.read(entries.text(i)));
        }
        return List.copyOf(runs);
    }

    private @Nullable Instant instant(String field) {
        return text(field).isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(text(field)));
    }

    private long number(String field) {
        return text(field).isEmpty() ? 0 : Long.parseLong(text(field));
    }

    private String text(String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no such field: " + field);
        }
        return value;
    }
}
