package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How a record is stored: {@code 1|version|state|attempts|receipt|at|due|until|cancelled|enqueued|requests|length of
 * error|length of content type|} and then error, content type and payload as they are. No field of the head can hold a
 * bar. Pure.
 */
final class RecordForm {

    private static final String FORM = "1";
    private static final int FIELDS = 13;

    private RecordForm() {}

    static byte[] write(TaskRecord task) {
        byte[] error = task.error().getBytes(StandardCharsets.UTF_8);
        byte[] type = task.payload().contentType().getBytes(StandardCharsets.UTF_8);
        String head = String.join(
                "|",
                FORM,
                String.valueOf(task.version()),
                task.state().name(),
                String.valueOf(task.attempts()),
                task.receipt(),
                task.at(),
                String.valueOf(task.due()),
                String.valueOf(task.until()),
                task.cancelled() ? "1" : "0",
                String.valueOf(task.enqueued()),
                task.requests(),
                String.valueOf(error.length),
                String.valueOf(type.length),
                "");
        var out = new ByteArrayOutputStream(
                head.length() + error.length + type.length + task.payload().bytes().length);
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        out.writeBytes(error);
        out.writeBytes(type);
        out.writeBytes(task.payload().bytes());
        return out.toByteArray();
    }

    static TaskRecord read(byte[] raw) {
        var fields = new String[FIELDS];
        int from = 0;
        for (int field = 0; field < FIELDS; field++) {
            int to = from;
            while (to < raw.length && raw[to] != '|') {
                to++;
            }
            if (to == raw.length) {
                throw new IllegalStateException("a task's record breaks off in its head");
            }
            fields[field] = new String(raw, from, to - from, StandardCharsets.UTF_8);
            from = to + 1;
        }
        if (!fields[0].equals(FORM)) {
            throw new IllegalStateException("a task's record is of the unknown form " + fields[0]);
        }
        int type = from + Integer.parseInt(fields[11]);
        int payload = type + Integer.parseInt(fields[12]);
        return new TaskRecord(
                Long.parseLong(fields[1]),
                TaskRecord.State.valueOf(fields[2]),
                Integer.parseInt(fields[3]),
                fields[4],
                fields[5],
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                fields[8].equals("1"),
                Long.parseLong(fields[9]),
                fields[10],
                new String(raw, from, type - from, StandardCharsets.UTF_8),
                Payload.of(
                        Arrays.copyOfRange(raw, payload, raw.length),
                        new String(raw, type, payload - type, StandardCharsets.UTF_8)));
    }
}
