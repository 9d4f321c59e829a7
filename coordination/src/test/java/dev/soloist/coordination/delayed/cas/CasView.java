package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What is stored by compare-and-set, told in the form in which scripts store it, so that one test can look at both. */
public final class CasView {

    private final RedisLink link;
    private final TaskKeys keys;

    public CasView(RedisLink link, RedisKeys keys, JobId job) {
        this.link = link;
        this.keys = new TaskKeys(keys, job);
    }

    /** Every task that has not ended. */
    public Map<String, String> tasks() {
        return all(
                task -> !task.state().isEnded(),
                task -> "1|" + task.due() + "|" + task.requests() + "|" + task.at() + "|" + task.enqueued() + "|"
                        + task.payload().contentType().length() + "|"
                        + task.payload().contentType()
                        + new String(task.payload().bytes(), StandardCharsets.ISO_8859_1));
    }

    /** Every task that has been reserved or moved and has not ended. */
    public Map<String, String> attempts() {
        return all(
                task -> !task.state().isEnded()
                        && (task.state() != TaskRecord.State.P
                                || task.attempts() > 0
                                || !task.error().isEmpty()),
                task -> task.state() + "|1|" + task.attempts() + "|" + task.receipt() + "|" + task.at() + "|"
                        + task.due() + "|" + (task.cancelled() ? 1 : 0) + "|" + task.requests() + "|" + task.error());
    }

    /** Every ended task that is remembered. */
    public Map<String, String> done() {
        return all(
                task -> task.state().isEnded(),
                task -> (task.state() == TaskRecord.State.E ? "D" : "C") + "|" + task.due() + "|" + task.attempts()
                        + "|" + task.receipt() + "|" + task.requests());
    }

    /** Every ended task that is remembered, to the moment at which the server forgets it. */
    public Map<String, Long> doneExpiry() {
        var ends = new TreeMap<String, Long>();
        long now = link.now().toEpochMilli();
        done().keySet().forEach(id -> {
            String key = keys.record(TaskId.of(id));
            ends.put(id, now + (Long) link.call("PTTL", key).getFirst());
        });
        return ends;
    }

    private Map<String, String> all(
            Predicate<TaskRecord> wanted, java.util.function.Function<TaskRecord, String> form) {
        var found = new TreeMap<String, String>();
        for (Object key : link.call("KEYS", keys.records() + "*")) {
            String name = new String((byte[]) key, StandardCharsets.UTF_8);
            List<Object> raw = link.call("GET", name);
            if (raw.isEmpty() || raw.getFirst() == null) {
                continue;
            }
            TaskRecord task = RecordForm.read((byte[]) raw.getFirst());
            if (wanted.test(task)) {
                byte[] id = Base64.getUrlDecoder()
                        .decode(name.substring(keys.records().length()));
                found.put(new String(id, StandardCharsets.UTF_8), form.apply(task));
            }
        }
        return found;
    }
}
