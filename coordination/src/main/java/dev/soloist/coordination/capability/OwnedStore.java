package dev.soloist.coordination.capability;

import dev.soloist.coordination.capability.StoreMode.Refused;
import dev.soloist.coordination.capability.StoreRecord.Reading;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptRunner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges as another judge does, and then compares with what the store says about itself: whose it is, in which mode it was
 * made, in which form. An empty store is taken into possession, by one of those who try at a time. Of two clusters under
 * one name, one finds the other's record at its next look and goes no further. Thread-safe.
 */
public final class OwnedStore implements Judge {

    /**
     * Who asks.
     *
     * @param cluster uid of the cluster; empty while it cannot be read
     * @param takeOverFrom uid of a former cluster whose data are to become ours; empty for none
     */
    public record Owner(String cluster, String takeOverFrom) {}

    private static final LuaScript TAKE_OVER = LuaScript.load(OwnedStore.class, "take_over.lua", 1, 2);

    private final RedisLink link;
    private final RedisKeys keys;
    private final Judge judge;
    private final Supplier<Owner> owner;
    private final ScriptRunner scripts;

    /**
     * A judge over another.
     *
     * @param owner asked at each look
     */
    public OwnedStore(RedisLink link, RedisKeys keys, Judge judge, Supplier<Owner> owner) {
        this.link = link;
        this.keys = keys;
        this.judge = judge;
        this.owner = owner;
        this.scripts = new ScriptRunner(link);
    }

    @Override
    public Verdict judge(Verdict former) {
        Verdict found = judge.judge(former);
        return found.mode()
                .data()
                .map(mode -> new Verdict(compare(mode, owner.get()), found.seen()))
                .orElse(found);
    }

    private StoreMode compare(DataMode mode, Owner who) {
        if (who.cluster().isEmpty()) {
            return new Refused(
                    RefusalReason.CLUSTER_UNKNOWN,
                    "Kubernetes does not tell the operator the uid of the namespace kube-system, so it is not known"
                            + " whether the store is this cluster's: apply config/rbac of this version");
        }
        String text = read();
        if (text == null) {
            var fresh = new StoreRecord(StoreRecord.SCHEMA, mode, who.cluster());
            link.call("SET", keys.meta(), fresh.json(), "NX");
            // Somebody else may have been faster: what is there now counts.
            text = read();
            if (text == null) {
                throw RedisUnavailable.refused("the record " + keys.meta() + " was written and is not there");
            }
        }
        return switch (StoreRecord.read(text)) {
            case Reading.Newer(var schema) ->
                new Refused(
                        RefusalReason.NEWER_SCHEMA,
                        "a newer version of Soloist has written this store (schema " + schema + ", this version knows "
                                + StoreRecord.SCHEMA + "): bring the newer version back");
            case Reading.Unreadable() ->
                new Refused(
                        RefusalReason.RECORD_UNREADABLE,
                        "the key " + keys.meta() + " is damaged: look who wrote it, then delete it");
            case Reading.Known(var record) -> compare(mode, who, record, text);
        };
    }

    private StoreMode compare(DataMode mode, Owner who, StoreRecord record, String text) {
        if (record.mode() != mode) {
            return ModeRule.modeChanged(record.mode(), mode);
        }
        if (record.cluster().equals(who.cluster())) {
            return StoreMode.of(mode);
        }
        if (record.cluster().equals(who.takeOverFrom())) {
            var ours = new StoreRecord(record.schema(), mode, who.cluster());
            if (replace(mode, text, ours.json())) {
                return StoreMode.of(mode);
            }
        }
        return new Refused(
                RefusalReason.OTHER_CLUSTER,
                "another cluster (" + record.cluster()
                        + ") uses this store under the same installation name, this one is "
                        + who.cluster()
                        + ": give one of them another name by SOLOIST_INSTALL; or, if that cluster is no"
                        + " more, take its data over by SOLOIST_TAKE_OVER_FROM=" + record.cluster());
    }

    private @Nullable String read() {
        try {
            List<Object> reply = link.call("GET", keys.meta());
            return !reply.isEmpty() && reply.getFirst() instanceof byte[] bytes
                    ? new String(bytes, StandardCharsets.UTF_8)
                    : null;
        } catch (ScriptFailed wrongType) {
            return "";
        }
    }

    /** Compared and set in one step, so that of several who take over one does. */
    private boolean replace(DataMode mode, String seen, String ours) {
        return switch (mode) {
            case SCRIPTED ->
                scripts.run(TAKE_OVER, List.of(keys.meta()), seen, ours)
                        .status()
                        .equals("OK");
            case CAS -> link.call("SET", keys.meta(), ours, "VX", seen).getFirst() instanceof Long done && done == 1;
        };
    }
}
