package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all calls to a store pass: it knows by which mode, and lets nobody through while there is none. It looks at each
 * connect, before anybody who waits for the connection goes on, and whenever its owner has it look; never in a caller's
 * own call. A verdict stands until the next one, also while the server does not answer. Thread-safe.
 */
public final class StoreGate {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreGate.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(15);
    private static final Duration LOOK_WHILE_REFUSED = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final RedisLink link;
    private final Judge judge;
    private final ReentrantLock looking = new ReentrantLock();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Verdict verdict = Verdict.NONE;
    private volatile boolean doubtful;

    /** A gate that is shut until the first look. */
    public StoreGate(RedisLink link, Judge judge) {
        this.link = link;
        this.judge = judge;
        // Another server, user or set of rules may be at the other end now.
        link.onConnected(() -> {
            doubtful = true;
            look();
        });
    }

    /** How the store is used now. */
    public StoreMode mode() {
        return verdict.mode();
    }

    /** The last verdict and what it is based on. */
    public Verdict verdict() {
        return verdict;
    }

    /**
     * The mode of the data.
     *
     * @throws RedisUnavailable of kind REFUSED, with the sentence, while the store is not used
     */
    public DataMode require() {
        StoreMode now = mode();
        if (now instanceof StoreMode.Refused(var _, var sentence)) {
            throw RedisUnavailable.refused(sentence);
        }
        return now.data().orElseThrow();
    }

    /** Why the store may lose a lease by itself, as of the last look. */
    public Optional<Danger> danger() {
        return Danger.of(verdict.seen());
    }

    /** Calls the listener after each change of the mode or of what is known of the server; it must only wake somebody. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Looks now. A server that does not answer changes nothing. */
    public void look() {
        looking.lock();
        try {
            Verdict former = verdict;
            boolean anew = doubtful;
            doubtful = false;
            Verdict now = judged(anew ? Verdict.NONE : former, anew);
            verdict = now;
            if (!now.equals(former)) {
                tell(former, now);
                listeners.forEach(Runnable::run);
            }
        } catch (RedisUnavailable | ScriptFailed unanswered) {
            LOGGER.debug("the store could not be looked at; it stays {}", mode(), unanswered);
        } finally {
            looking.unlock();
        }
    }

    private Verdict judged(Verdict former, boolean anew) {
        try {
            return judge.judge(former);
        } catch (RuntimeException unanswered) {
            doubtful |= anew;
            throw unanswered;
        }
    }

    /** Something was refused that the verdict says is possible: the next look tries everything anew. */
    public void doubt() {
        doubtful = true;
    }

    /** One turn of its owner's loop: looks if there is a connection, and says when to look again. */
    public Duration turn() {
        if (!link.isConnected()) {
            return LOOK_AGAIN;
        }
        look();
        if (verdict.equals(Verdict.NONE)) {
            return LOOK_AGAIN;
        }
        return mode() instanceof StoreMode.Refused ? LOOK_WHILE_REFUSED : LOOK_EVERY;
    }

    private static void tell(Verdict former, Verdict now) {
        if (now.mode().equals(former.mode())) {
            return;
        }
        switch (now.mode()) {
            case StoreMode.Refused(var reason, var sentence) ->
                LOGGER.error("the store is not used ({}): {}", reason.word(), sentence);
            case StoreMode.Scripted() ->
                LOGGER.info("the store is {}", now.seen().server().text());
            case StoreMode.Cas() ->
                LOGGER.warn(
                        "the store is {} and used in mode Cas, which promises less: see docs/guarantees.md",
                        now.seen().server().text());
        }
    }
}
