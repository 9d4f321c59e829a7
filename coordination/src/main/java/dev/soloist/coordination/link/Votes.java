package dev.soloist.coordination.link;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a Cluster told one after the other, and what most of them agree on. A node that is cut off from the
 * others, or was put out of the Cluster and still runs, tells for ever what it knew then; alone it is outvoted. Not
 * thread-safe.
 */
final class Votes {

    private record View(Slots slots, List<HostAndPort> tellers) {

        /** Of those whom it names as primaries, how many say the same: those who are none any more count for less. */
        double consent() {
            long agreeing = tellers.stream().filter(slots.primaries()::contains).count();
            return (double) agreeing / slots.primaries().size();
        }
    }

    private final int voters;
    private final List<View> views = new ArrayList<>();

    /** @param voters how many will be asked at most */
    Votes(int voters) {
        this.voters = voters;
    }

    /** Counts what one node told, if it knows of slots at all. */
    void add(HostAndPort teller, Slots told) {
        if (told.primaries().isEmpty()) {
            return;
        }
        for (View view : views) {
            if (view.slots.servesAlike(told)) {
                view.tellers.add(teller);
                return;
            }
        }
        views.add(new View(told, new ArrayList<>(List.of(teller))));
    }

    /** Whether those who were not asked yet can change nothing any more. */
    boolean isDecided() {
        return views.stream().anyMatch(view -> view.tellers.size() * 2 > voters);
    }

    /** What most agree on; of equals, what those tell who are part of it, and then what was told first. Null if nothing. */
    @Nullable
    Slots winner() {
        // A sort is stable, so what was told first stays first.
        return views.stream()
                .sorted(Comparator.<View>comparingInt(view -> -view.tellers.size())
                        .thenComparingDouble(view -> -view.consent()))
                .map(View::slots)
                .findFirst()
                .orElse(null);
    }
}
