package dev.soloist.coordination.delayed.cas;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that shows what it was given at first, and compares with something else: no conditional write is ever done. */
final class StaleWire implements Wire {

    /** Ends a call that would go on for ever. */
    private static final int MOST = 100_000;

    private final Map<String, byte[]> shown = new ConcurrentHashMap<>();
    private final AtomicInteger refusals = new AtomicInteger();

    StaleWire showing(String key, TaskRecord task) {
        shown.put(key, RecordForm.write(task));
        return this;
    }

    /** How many conditional writes were asked for. */
    int refusals() {
        return refusals.get();
    }

    @Override
    public List<Object> call(String command, List<byte[]> arguments) {
        return switch (command) {
            case "TIME" -> List.of(bytes("1000000"), bytes("0"));
            case "GET" -> Collections.singletonList(shown.get(text(arguments.getFirst())));
            case "MGET" ->
                new ArrayList<>(
                        arguments.stream().map(key -> shown.get(text(key))).toList());
            case "SET" -> {
                refused();
                yield text(arguments.get(2)).equals("NX") ? Collections.singletonList(null) : List.of(0L);
            }
            case "DELVX" -> {
                refused();
                yield List.of(0L);
            }
            case "ZRANGE", "ZREVRANGE", "LRANGE" -> List.of();
            case "ZCARD", "LLEN" -> List.of(0L);
            default -> List.of(1L);
        };
    }

    private void refused() {
        if (refusals.incrementAndGet() > MOST) {
            throw new AssertionError("a call spins");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] raw) {
        return new String(raw, StandardCharsets.UTF_8);
    }
}
