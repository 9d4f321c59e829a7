package dev.soloist.coordination.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All events of a run in the order in which they became known; those of one server in its own order. Thread-safe. */
public final class History {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, Class<?>> KINDS = Arrays.stream(Event.class.getPermittedSubclasses())
            .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    private final List<Event> events = new ArrayList<>();

    /** Adds an event at the end. */
    public synchronized void add(Event event) {
        events.add(event);
    }

    /** A copy of all events. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** How many events of a kind there are. */
    public synchronized long count(Class<? extends Event> kind) {
        return events.stream().filter(kind::isInstance).count();
    }

    /** Writes one event a line as JSON, its kind first. */
    public static void write(List<Event> events, Path file) {
        try {
            Files.write(file, events.stream().map(History::json).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what {@link #write} has written. */
    public static List<Event> read(Path file) {
        try {
            return Files.readAllLines(file).stream().map(History::event).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String json(Event event) {
        ObjectNode line = MAPPER.createObjectNode();
        line.put("event", event.getClass().getSimpleName());
        line.setAll((ObjectNode) MAPPER.valueToTree(event));
        return line.toString();
    }

    private static Event event(String line) {
        try {
            var json = (ObjectNode) MAPPER.readTree(line);
            String kind = json.remove("event").asText();
            return (Event) MAPPER.treeToValue(json, KINDS.get(kind));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not an event: " + line, e);
        }
    }
}
