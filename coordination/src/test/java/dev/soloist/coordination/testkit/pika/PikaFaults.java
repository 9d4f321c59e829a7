package dev.soloist.coordination.testkit.pika;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What goes wrong, and what came in so far. Thread-safe. */
final class PikaFaults {

    /** What a session does with one command. */
    enum Fate {
        /** Nothing goes wrong. */
        WHOLE,
        /** The connection breaks before the command is done. */
        NEVER_DONE,
        /** The command is done, and the connection breaks instead of an answer. */
        UNANSWERED,
        /** The first storage write of the command is done; then the server dies. */
        HALF_DONE
    }

    private record Plan(AtomicInteger left, Fate fate) {}

    private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private volatile boolean dropReplies;
    private volatile boolean halveNext;
    private volatile boolean transactions = true;

    void plan(int commands, Fate fate) {
        plan.set(new Plan(new AtomicInteger(commands), fate));
    }

    boolean isPlanned() {
        return plan.get() != null;
    }

    void dropReplies(boolean drop) {
        dropReplies = drop;
    }

    void halveNext(boolean halve) {
        halveNext = halve;
    }

    void transactions(boolean offered) {
        transactions = offered;
    }

    boolean transactions() {
        return transactions;
    }

    void heal() {
        plan.set(null);
        dropReplies = false;
        halveNext = false;
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    void forget() {
        seen.clear();
    }

    /** Judges one command of the data plane, in the order of arrival. */
    Fate next(String name, boolean severalWrites) {
        seen.add(name);
        Plan now = plan.get();
        if (now != null && now.left().decrementAndGet() == 0) {
            plan.compareAndSet(now, null);
            return now.fate();
        }
        if (halveNext && severalWrites) {
            halveNext = false;
            return Fate.HALF_DONE;
        }
        return dropReplies ? Fate.UNANSWERED : Fate.WHOLE;
    }
}
