package dev.soloist.operator.job;

import dev.soloist.coordination.capability.Danger;
import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.capability.Verdict;
import dev.soloist.coordination.job.Safety;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.crds.job.StoreStatus;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.Store;
import org.jspecify.annotations.Nullable;

/// Goes no further with a store that is not to be used. It asks nothing: the verdict is kept up to date elsewhere.
final class JudgeStore implements Step {

    private final Store store;

    JudgeStore(Store store) {
        this.store = store;
    }

    @Override
    public Next run(Pass pass) {
        pass.storeStatus = describe(store.gate().verdict());
        if (store.link().isConnected() && store.gate().mode() instanceof StoreMode.Refused(var reason, var sentence)) {
            pass.store = Pass.StoreState.DOWN;
            pass.storeMessage = sentence;
            return pass.stop(Problem.forNow(reason.word(), sentence));
        }
        return store.gate().danger().map(danger -> endangered(pass, danger)).orElse(Next.GO_ON);
    }

    /// A strict singleton is not seeded for the first time. One that was seeded before goes on being looked
    /// after and told to pods, which refuse by themselves to start a run: a changed policy reaches them, no run
    /// is left without an end, and a namespace that moves to another store does not wait for it.
    private static Next endangered(Pass pass, Danger danger) {
        pass.danger = danger;
        if (!(pass.definition().work() instanceof SingletonWork)
                || pass.definition().policy().safety() == Safety.LENIENT) {
            return Next.GO_ON;
        }
        pass.problem = Problem.forNow(danger.kind().word(), danger.sentence());
        return pass.memory.equals(Memory.NONE) ? Next.STOP : Next.GO_ON;
    }

    /// Nothing, as long as nothing is known.
    private static @Nullable StoreStatus describe(Verdict verdict) {
        var server = verdict.seen().server();
        return verdict.equals(Verdict.NONE)
                ? null
                : new StoreStatus(
                        verdict.mode().word(),
                        server.text(),
                        server.evictionPolicy().isEmpty() ? null : server.evictionPolicy());
    }
}
