package dev.soloist.coordination.cas;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All keys of one hash tag, in memory, during one run of a script. A run has one moment throughout, which
 * is asked for only if the script or a key's end needs it. Not thread-safe.
 */
final class Keyspace {

    private final Map<String, Stored> keys;
    private final CasCommands server;
    private final Moment moment;
    private boolean timed;
    private boolean changed;

    /** A key space over the given content, which it changes. */
    Keyspace(Map<String, Stored> keys, CasCommands server, Moment moment) {
        this.keys = keys;
        this.server = server;
        this.moment = moment;
    }

    /** The moment of this run. */
    Instant moment() {
        timed = true;
        return moment.get();
    }

    long now() {
        return moment().toEpochMilli();
    }

    /** Whether anything was written. */
    boolean isChanged() {
        return changed;
    }

    /** The content, without what is known to be over. */
    Map<String, Stored> content() {
        if (timed) {
            keys.values().removeIf(this::isOver);
        }
        return keys;
    }

    Optional<Stored> find(String key) {
        Stored stored = keys.get(key);
        if (stored != null && isOver(stored)) {
            keys.remove(key);
            return Optional.empty();
        }
        return Optional.ofNullable(stored);
    }

    /** The value of the given kind, or nothing. */
    <V extends Value> Optional<V> read(String key, Class<V> kind) {
        return find(key).map(stored -> cast(stored, kind));
    }

    /** The value of the given kind to be changed, a new one if there is none. */
    <V extends Value> V write(String key, Class<V> kind, Supplier<V> fresh) {
        Optional<Stored> stored = find(key);
        changed = true;
        if (stored.isPresent()) {
            return cast(stored.get(), kind);
        }
        V value = fresh.get();
        keys.put(key, new Stored(value));
        return value;
    }

    /** Puts a value in the place of whatever was there. */
    void put(String key, Stored stored) {
        keys.put(key, stored);
        changed = true;
    }

    boolean remove(String key) {
        if (find(key).isEmpty()) {
            return false;
        }
        keys.remove(key);
        changed = true;
        return true;
    }

    /** To be called after something was taken out of a value. */
    void taken(String key) {
        changed = true;
        Stored stored = keys.get(key);
        if (stored != null && stored.value().isEmpty()) {
            keys.remove(key);
        }
    }

    /** The size of a sorted set of delayed tasks, which is a key of its own also on a server without scripts. */
    Optional<Long> sizeOutside(String key) {
        return key.contains("}:d:") ? Optional.of(server.size(key)) : Optional.empty();
    }

    private boolean isOver(Stored stored) {
        return stored.ends() && stored.endsAt() <= now();
    }

    private static <V extends Value> V cast(Stored stored, Class<V> kind) {
        if (!kind.isInstance(stored.value())) {
            throw CommandFailed.wrongType();
        }
        return kind.cast(stored.value());
    }
}
