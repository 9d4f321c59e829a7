package dev.soloist.operator.job;

import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.Unlocking;
import dev.soloist.crds.Annotations;
import dev.soloist.crds.Reasons;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.events.Note;
import dev.soloist.operator.metrics.OperatorMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the annotation `soloist.dev/force-unlock`: each new value once. First the term is raised in the object, so
/// that
/// whatever the lock stood for has a lower fence than all that follows; then the lock that was seen is removed, and
/// only
/// that. Between the two the operator may die: then the term rises once more, which does no harm. Thread-safe.
final class ForceUnlock implements Step {

    private static final Logger LOGGER = LoggerFactory.getLogger(ForceUnlock.class);
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final Store store;
    private final OperatorMetrics metrics;

    /// By uid and wish: the term that was raised for it.
    private final Map<String, Long> raised = new ConcurrentHashMap<>();

    ForceUnlock(Store store, OperatorMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    @Override
    public Next run(Pass pass) {
        var annotations = pass.job.getMetadata().getAnnotations();
        var wish = (annotations == null ? Map.<String, String>of() : annotations).get(Annotations.FORCE_UNLOCK);
        if (wish == null || wish.isBlank() || wish.equals(pass.forceUnlock)) {
            return Next.GO_ON;
        }
        if (!(pass.definition().work() instanceof SingletonWork)) {
            return answer(pass, wish, Note.warning("UnlockRefused", "only a singleton has a lock"));
        }
        return switch (store.singletons(pass.definition()).foreignLock(pass.id)) {
            case Unlocking.Foreign(var value) -> unlock(pass, wish, value);
            case Unlocking.Owned() ->
                answer(
                        pass,
                        wish,
                        Note.warning(
                                "UnlockRefused",
                                "the lock is the lease of the run in progress: it ends with its run, or by its ttl"));
            case Unlocking.NoLock(), Unlocking.Unlocked() ->
                answer(pass, wish, Note.normal("UnlockRefused", "there is no lock"));
        };
    }

    private Next unlock(Pass pass, String wish, String value) {
        var key = pass.uid() + "/" + wish;
        var target = raised.computeIfAbsent(key, any -> pass.memory.term() + 1);
        if (pass.memory.term() < target) {
            pass.memory = new Memory(target, pass.memory.seeded());
            metrics.termRaised();
            return pass.stop(Problem.forNow(Reasons.PROGRESSING, "a lock is about to be removed by force"), AT_ONCE);
        }
        return switch (store.singletons(pass.definition()).unlock(pass.id, value, pass.memory.term())) {
            case Unlocking.Unlocked() -> {
                LOGGER.atWarn().addKeyValue("job", pass.id).log("the lock '{}' was removed by force", value);
                yield answer(
                        pass,
                        wish,
                        Note.warning(
                                "Unlocked",
                                "the lock '" + shortened(value) + "' was removed, as asked by " + wish
                                        + "; fences go on in term " + pass.memory.term()));
            }
            // It changed between the two looks: the next pass looks again.
            case Unlocking.Foreign _, Unlocking.Owned _, Unlocking.NoLock _ -> Next.GO_ON;
        };
    }

    private Next answer(Pass pass, String wish, Note note) {
        raised.remove(pass.uid() + "/" + wish);
        pass.notes.add(note);
        pass.forceUnlock = wish;
        return Next.GO_ON;
    }

    private static String shortened(String value) {
        return value.length() > 100 ? value.substring(0, 100) + " ..." : value;
    }
}
