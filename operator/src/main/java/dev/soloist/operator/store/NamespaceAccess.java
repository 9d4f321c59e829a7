package dev.soloist.operator.store;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.loop.Turn;
import dev.soloist.crds.Reasons;
import dev.soloist.operator.core.Store;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Gives each namespace its own Redis user and the Secret that tells it. Users vanish when Redis restarts without
/// an ACL file, and a promoted replica may never have had them: they are asserted again after each connect and every
/// minute. The Secret follows what the operator itself is told. Thread-safe.
public final class NamespaceAccess {

    private static final Duration ASSERTED_FOR = Duration.ofMinutes(1);

    /// What was asserted, from what, and when.
    private record Asserted(Map<String, String> shared, Passwords passwords, long atNanos) {}

    private final Store store;
    private final StoreSecret secret;
    private final StoreUsers users;
    private final Supplier<Map<String, String>> shared;
    private final Predicate<String> mayMove;
    private final Map<String, Asserted> asserted = new ConcurrentHashMap<>();

    /// @param shared what sidecars are told of the store, by file name; without an address while nobody has said
    /// @param mayMove whether all jobs of a namespace are in force on the store that the operator has. Before, no
    ///   sidecar may be sent there: it would find terms that fences have left behind. It keeps what it was
    ///   told, and one of a namespace whose Secret is gone waits.
    public NamespaceAccess(
            KubernetesClient client,
            Store store,
            Install install,
            Supplier<Map<String, String>> shared,
            Predicate<String> mayMove) {
        this.mayMove = mayMove;
        this.store = store;
        this.secret = new StoreSecret(client);
        this.users = new StoreUsers(store, install);
        this.shared = shared;
    }

    /// Makes sure of the namespace's user and Secret; costs nothing while both were seen to a moment ago.
    ///
    /// @throws RedisUnavailable if Redis does not answer; repeat the call
    public Access ensure(String namespace) {
        var told = shared.get();
        // Of a store that is not ours, nobody gets a key.
        store.gate().require();
        var last = asserted.get(namespace);
        var now = System.nanoTime();
        if (last != null
                && now - last.atNanos() < ASSERTED_FOR.toNanos()
                && last.shared().equals(told)) {
            return new Access.Granted();
        }
        var access = grant(namespace, told, now);
        if (access instanceof Access.Refused) {
            asserted.remove(namespace);
        }
        return access;
    }

    /// Asserts every user that was asserted before, without a look at the cluster: for a server that may not know them.
    ///
    /// @throws RedisUnavailable if Redis does not answer; repeat the call
    void assertAll() {
        if (hasUsers()) {
            Turn.over(asserted.keySet(), namespace -> {
                var known = asserted.get(namespace);
                if (known != null && !known.passwords().isNone()) {
                    users.set(namespace, known.passwords());
                }
            });
        }
    }

    /// Namespaces that have been granted access by this process.
    Set<String> granted() {
        return Set.copyOf(asserted.keySet());
    }

    /// Namespaces that have a user in Redis.
    ///
    /// @throws RedisUnavailable if Redis does not answer, or is not ours to change
    List<String> withUser() {
        return hasUsers() ? users.namespaces() : List.of();
    }

    /// Whether namespaces have users of their own. Of a store that is not ours, nobody is given or taken one.
    private boolean hasUsers() {
        return store.gate().require() == DataMode.SCRIPTED;
    }

    /// Removes the user of a namespace that has no Secret.
    ///
    /// @return whether it is removed
    boolean removeUserWithoutSecret(String namespace) {
        if (secret.exists(namespace) || !hasUsers()) {
            return false;
        }
        asserted.remove(namespace);
        users.remove(namespace);
        if (secret.exists(namespace)) {
            // The namespace was made again meanwhile.
            var _ = ensure(namespace);
            return false;
        }
        return true;
    }

    private Access grant(String namespace, Map<String, String> told, long now) {
        if (!told.containsKey(StoreFile.ADDRESS.fileName())) {
            return new Access.Refused(Reasons.STORE_UNREACHABLE, "the operator has not been told the store's address");
        }
        try {
            var own = hasUsers();
            var content = secret.ensure(
                    namespace,
                    new SecretContent.Wish(
                            told,
                            own ? users.nameFor(namespace) : null,
                            store.now(),
                            () -> mayMove.test(namespace),
                            () -> users.digests(namespace)));
            if (own && !content.passwords().isNone()) {
                users.set(namespace, content.passwords());
            }
            // What sidecars are told of another store is not complete: look again at the next call.
            asserted.put(namespace, new Asserted(content.complete() ? told : Map.of(), content.passwords(), now));
            return new Access.Granted();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw refused;
            }
            return new Access.Refused(
                    Reasons.STORE_SECRET_REFUSED,
                    "Kubernetes does not let the operator write the Secret soloist-store: " + refused.getMessage());
        } catch (ScriptFailed refused) {
            return userRefused(refused);
        } catch (RedisUnavailable refused) {
            if (refused.kind() != RedisUnavailable.Kind.FORBIDDEN || isOwnLogin(refused)) {
                throw refused;
            }
            return userRefused(refused);
        }
    }

    /// Whether it is the operator that the store does not let in any more: that says nothing of users for namespaces.
    private static boolean isOwnLogin(RedisUnavailable refused) {
        var message = String.valueOf(refused.getMessage());
        return message.contains("WRONGPASS") || message.contains("NOAUTH");
    }

    private static Access userRefused(RuntimeException refused) {
        return new Access.Refused(
                Reasons.STORE_USER_REFUSED,
                "the store does not let the operator make a user for the namespace (ACL SETUSER): "
                        + refused.getMessage());
    }
}
