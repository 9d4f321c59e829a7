package dev.soloist.operator.job;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.operator.core.Store;

/// Goes no further with a store that is not to be used. It asks nothing: the verdict is kept up to date elsewhere.
final class JudgeStore implements Step {

    private final Store store;

    JudgeStore(Store store) {
        this.store = store;
    }

    @Override
    public Next run(Pass pass) {
        if (store.link().isConnected() && store.gate().mode() instanceof StoreMode.Refused(var reason, var sentence)) {
            pass.store = Pass.StoreState.DOWN;
            pass.storeMessage = sentence;
            return pass.stop(Problem.forNow(reason.word(), sentence));
        }
        return Next.GO_ON;
    }
}
