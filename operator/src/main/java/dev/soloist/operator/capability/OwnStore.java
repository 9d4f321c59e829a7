package dev.soloist.operator.capability;

import dev.soloist.coordination.capability.CapabilityProbe;
import dev.soloist.coordination.capability.CapabilityProbe.Scope;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.capability.OwnedStore;
import dev.soloist.coordination.capability.ProbingJudge;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.operator.core.Store;
import java.util.function.Supplier;

/// Makes the operator's view of its store: everything is tried, and the store must be this cluster's own.
public final class OwnStore {

    private OwnStore() {}

    /// The store at the other end of the link.
    ///
    /// @param owner asked at each look: which cluster this is, and whose data are to become its own
    /// @param wish asked at each look: which modes will do
    public static Store open(
            RedisLink link, Install install, Supplier<OwnedStore.Owner> owner, Supplier<ModeWish> wish) {
        var keys = new RedisKeys(install);
        var probe = new CapabilityProbe(link, keys::probe, Scope.EVERYTHING);
        var judge = new OwnedStore(link, keys, new ProbingJudge(probe, wish), owner);
        return new Store(new CoordinationStore(link, install, judge));
    }
}
