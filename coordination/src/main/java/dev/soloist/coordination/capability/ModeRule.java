package dev.soloist.coordination.capability;

import dev.soloist.coordination.capability.StoreMode.Refused;
import java.util.List;

/** Decides by which mode a store is used. Pure. */
final class ModeRule {

    private static final List<Capability> SCRIPTED = List.of(
            Capability.SCRIPTS,
            Capability.SCRIPT_TIME,
            Capability.MILLISECOND_EXPIRY,
            Capability.SET_NX,
            Capability.ZADD_NX);

    private static final List<Capability> CAS =
            List.of(Capability.PIKA_CAS, Capability.SET_NX, Capability.SECOND_EXPIRY);

    private ModeRule() {}

    static StoreMode decide(Capabilities found, ModeWish wish) {
        if (SCRIPTED.stream().allMatch(found::has)) {
            return accept(DataMode.SCRIPTED, wish);
        }
        if (CAS.stream().allMatch(found::has)) {
            return accept(DataMode.CAS, wish);
        }
        Finding scripts = found.of(Capability.SCRIPTS);
        if (scripts.state() == Finding.State.FORBIDDEN) {
            return new Refused(
                    RefusalReason.SCRIPTS_FORBIDDEN,
                    "the store (" + found.server().text() + ") does not let our user run scripts (" + scripts.said()
                            + "): allow it EVAL and EVALSHA");
        }
        return new Refused(RefusalReason.NOT_CAPABLE, lacking(found));
    }

    private static StoreMode accept(DataMode possible, ModeWish wish) {
        if (wish.only().isPresent() && wish.only().get() != possible) {
            return modeChanged(wish.only().get(), possible);
        }
        if (possible == DataMode.CAS && wish.least() == DataMode.SCRIPTED) {
            return new Refused(
                    RefusalReason.BELOW_MINIMUM,
                    "the store runs no scripts and could be used in mode Cas only, which promises less: use a Redis or"
                            + " Valkey with scripts, or accept it by minimumMode: Cas in the Secret"
                            + " soloist-operator-store");
        }
        return StoreMode.of(possible);
    }

    static Refused modeChanged(DataMode made, DataMode offered) {
        return new Refused(
                RefusalReason.MODE_CHANGED,
                "the data in the store were made in mode " + made.word() + ", and the server now offers mode "
                        + offered.word() + ", which cannot read them: bring the former server back, or give up the data"
                        + " by removing all keys of this installation");
    }

    /** Names what is missing for the better mode, or for the weaker one where scripts are no question at all. */
    private static String lacking(Capabilities found) {
        boolean hasScripts = found.has(Capability.SCRIPTS);
        var text = new StringBuilder("the store (" + found.server().text() + ") ");
        text.append(hasScripts ? "runs scripts, but fails at: " : "runs no scripts, and for mode Cas it lacks: ");
        var missing = (hasScripts ? SCRIPTED : CAS)
                .stream()
                        .filter(capability -> !found.has(capability))
                        .map(capability -> describe(capability, found.of(capability)))
                        .toList();
        return text.append(String.join(", ", missing))
                .append("; use Redis or Valkey 6.2 or later, or Pika 3.5.5, 4.0.1 or later")
                .toString();
    }

    private static String describe(Capability capability, Finding finding) {
        return finding.said().isEmpty() ? capability.word() : capability.word() + " (" + finding.said() + ")";
    }
}
