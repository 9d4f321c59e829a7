package dev.soloist.operator.store;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.operator.core.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The users of one installation's namespaces in Redis. Their names hold the colon, which no name of an installation or
/// a namespace does, so that no two share one. Thread-safe.
final class StoreUsers {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreUsers.class);
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private final Store store;
    private final String prefix;

    StoreUsers(Store store, Install install) {
        this.store = store;
        this.prefix = "soloist:" + install.name() + ":";
    }

    String nameFor(String namespace) {
        return prefix + namespace;
    }

    /// Makes the user, or makes it as it should be; connections it has go on.
    void set(String namespace, Passwords passwords) {
        var command = new ArrayList<>(List.of("SETUSER", nameFor(namespace)));
        command.addAll(AclRules.sidecar(store.keys(), namespace, passwords.rules()));
        everywhere(command);
    }

    /// Removes the user and cuts its connections.
    void remove(String namespace) {
        everywhere(List.of("DELUSER", nameFor(namespace)));
    }

    /// Users are not copied from server to server: a replica that has them is ready to be promoted. A server that
    /// cannot be
    /// reached now gets them when it is connected again, or within the minute.
    private void everywhere(List<String> command) {
        var answers = store.link().callEverywhere("ACL", command.toArray(String[]::new));
        if (answers.replies().isEmpty()) {
            answers.failures().values().stream()
                    .filter(StoreUsers::isRefusal)
                    .findFirst()
                    .ifPresent(refused -> {
                        throw refused;
                    });
            answers.orThrow();
        }
        // One that refuses, a replica without our own user for instance, must not stop what the others have done.
        answers.failures().forEach((server, failure) -> {
            if (isRefusal(failure)) {
                LOGGER.warn("{} does not let the operator make users: {}", server, failure.getMessage());
            }
        });
    }

    private static boolean isRefusal(RuntimeException failure) {
        return !(failure instanceof RedisUnavailable away) || away.kind() == RedisUnavailable.Kind.FORBIDDEN;
    }

    /// Namespaces that have a user.
    List<String> namespaces() {
        return store.link().call("ACL", "USERS").stream()
                .map(StoreUsers::text)
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    /// Digests of the passwords that are valid now; none if there is no such user.
    List<String> digests(String namespace) {
        var digests = new ArrayList<String>();
        collect(store.link().call("ACL", "GETUSER", nameFor(namespace)), digests);
        return digests;
    }

    /// The reply nests differently by version and protocol; nothing else in it looks like a digest.
    private static void collect(List<?> reply, List<String> digests) {
        for (var element : reply) {
            if (element instanceof List<?> nested) {
                collect(nested, digests);
            } else if (element instanceof byte[] bytes
                    && DIGEST.matcher(text(bytes)).matches()) {
                digests.add(text(bytes));
            }
        }
    }

    private static String text(Object element) {
        return new String((byte[]) element, StandardCharsets.UTF_8);
    }
}
