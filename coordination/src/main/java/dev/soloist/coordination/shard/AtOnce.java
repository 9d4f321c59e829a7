package dev.soloist.coordination.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Asks several shards at once, so that those that are away cost the time of one that is. Whoever waits may be interrupted: then
 * those that are asked are, and say what that means.
 */
final class AtOnce {

    private AtOnce() {}

    /** Calls for each of them; the answers in their order. The first failure is thrown when all are done. */
    static <T, R> List<R> each(List<T> these, Function<T, R> call) {
        if (these.size() == 1) {
            return List.of(call.apply(these.getFirst()));
        }
        var answers = new ArrayList<Future<R>>(these.size());
        // Closing waits for all of them.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var one : these) {
                answers.add(threads.submit((Callable<R>) () -> call.apply(one)));
            }
        }
        return answers.stream().map(AtOnce::answer).toList();
    }

    private static <R> R answer(Future<R> done) {
        if (done.state() == Future.State.FAILED && done.exceptionNow() instanceof RuntimeException failure) {
            throw failure;
        }
        return done.resultNow();
    }
}
