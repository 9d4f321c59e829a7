package dev.soloist.operator.store;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.crds.Reasons;
import dev.soloist.operator.core.Store;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Gives each namespace its own Redis user. Users vanish when Redis restarts without an ACL file, so they are
/// asserted again after each connect and every minute. Thread-safe.
public final class NamespaceAccess {

    private static final Duration ASSERTED_FOR = Duration.ofMinutes(1);

    private final Store store;
    private final Install install;
    private final StoreSecret secret;
    private final Supplier<Optional<String>> address;
    private final Map<String, Long> asserted = new ConcurrentHashMap<>();

    /// @param address as sidecars are to use it; empty while nobody has said
    public NamespaceAccess(KubernetesClient client, Store store, Install install, Supplier<Optional<String>> address) {
        this.store = store;
        this.install = install;
        this.secret = new StoreSecret(client);
        this.address = address;
        store.link().onConnected(asserted::clear);
    }

    /// Makes sure of the namespace's user and Secret; costs nothing while both were seen to a moment ago.
    ///
    /// @throws RedisUnavailable if Redis does not answer; repeat the call
    public Access ensure(String namespace) {
        var last = asserted.get(namespace);
        var now = System.nanoTime();
        if (last != null && now - last < ASSERTED_FOR.toNanos()) {
            return new Access.Granted();
        }
        var access = grant(namespace);
        if (access instanceof Access.Granted) {
            asserted.put(namespace, now);
        }
        return access;
    }

    private Access grant(String namespace) {
        var where = address.get();
        if (where.isEmpty()) {
            return new Access.Refused(Reasons.STORE_UNREACHABLE, "the operator has not been told the store's address");
        }
        var username = "soloist-" + install.name() + "-" + namespace;
        try {
            var password = secret.ensure(namespace, where.get(), username);
            setUser(namespace, username, password);
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
            if (refused.kind() != RedisUnavailable.Kind.FORBIDDEN) {
                throw refused;
            }
            return userRefused(refused);
        }
    }

    private void setUser(String namespace, String username, String password) {
        var version = ServerVersion.read(store.link().info("server"));
        var command = new ArrayList<>(List.of("SETUSER", username));
        command.addAll(AclRules.of(version, store.keys(), namespace, password));
        store.link().call("ACL", command.toArray(String[]::new));
    }

    private static Access userRefused(RuntimeException refused) {
        return new Access.Refused(
                Reasons.STORE_USER_REFUSED,
                "the store does not let the operator make a user for the namespace (ACL SETUSER): "
                        + refused.getMessage());
    }
}
