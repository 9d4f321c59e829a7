package dev.soloist.operator.job;

import dev.soloist.operator.store.Access;
import dev.soloist.operator.store.NamespaceAccess;

/// Makes sure that the namespace's sidecars can reach the store.
final class OpenStore implements Step {

    private final NamespaceAccess access;

    OpenStore(NamespaceAccess access) {
        this.access = access;
    }

    @Override
    public Next run(Pass pass) {
        return switch (access.ensure(pass.id.namespace())) {
            case Access.Granted() -> {
                pass.store = Pass.StoreState.UP;
                yield Next.GO_ON;
            }
            case Access.Refused(var reason, var message) -> {
                pass.store = Pass.StoreState.DOWN;
                pass.storeMessage = message;
                yield pass.stop(Problem.forNow(reason, message));
            }
        };
    }
}
