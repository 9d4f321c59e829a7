package dev.soloist.coordination.cas;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What is stored under one key. Every piece of content is a text of one character per byte (ISO 8859-1), so that any bytes
 * pass unchanged and compare as the server compares them. Mutable, for one call; not thread-safe.
 */
sealed interface Value {

    /** A string. */
    record Text(String content) implements Value {}

    /** A hash in the order of insertion, as a small one has on the server. */
    record Hash(Map<String, String> fields) implements Value {
        Hash() {
            this(new LinkedHashMap<>());
        }
    }

    /** A list, first element first. */
    record Sequence(List<String> elements) implements Value {
        Sequence() {
            this(new ArrayList<>());
        }
    }

    /** A sorted set. */
    record Scored(Map<String, Double> scores) implements Value {
        Scored() {
            this(new TreeMap<>());
        }

        /** Members by score, and by their bytes where scores are equal. */
        List<String> inOrder() {
            List<String> members = new ArrayList<>(scores.keySet());
            members.sort((a, b) -> {
                int byScore = Double.compare(score(a), score(b));
                return byScore != 0 ? byScore : a.compareTo(b);
            });
            return members;
        }

        double score(String member) {
            return Objects.requireNonNull(scores.get(member));
        }
    }

    /** Whether nothing is left in it; the server has no empty hashes, lists and sets. */
    default boolean isEmpty() {
        return switch (this) {
            case Text _ -> false;
            case Hash hash -> hash.fields().isEmpty();
            case Sequence list -> list.elements().isEmpty();
            case Scored set -> set.scores().isEmpty();
        };
    }
}
