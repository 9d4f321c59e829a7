package dev.soloist.coordination.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.NoSettings;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.StoreSettings;
import dev.soloist.coordination.link.Tls;
import dev.soloist.coordination.link.Topology;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a store say together. Anything that may be a mistake is refused rather than ignored. Pure.
 *
 * @param files the files that are there, none of them empty
 */
record StoreText(Map<StoreFile, String> files) {

    private static final List<StoreFile> OF_SENTINEL =
            List.of(StoreFile.SENTINEL_NAME, StoreFile.SENTINEL_USERNAME, StoreFile.SENTINEL_PASSWORD);

    private static final List<StoreFile> OF_TLS =
            List.of(StoreFile.CA, StoreFile.CERTIFICATE, StoreFile.KEY, StoreFile.VERIFICATION);

    StoreSettings settings(String clientName) {
        var address = files.get(StoreFile.ADDRESS);
        if (address == null) {
            return new NoSettings("the store's address is not known yet: " + name(StoreFile.ADDRESS) + " is missing");
        }
        try {
            return new RedisSettings(
                    topology(HostAndPort.parseAll(address)),
                    credentials(StoreFile.USERNAME, StoreFile.PASSWORD),
                    tls(),
                    clientName,
                    RedisSettings.DEFAULT_COMMAND_TIMEOUT);
        } catch (IllegalArgumentException wrong) {
            return new NoSettings("the store's Secret cannot be used: " + wrong.getMessage());
        }
    }

    private Topology topology(List<HostAndPort> servers) {
        var kind = files.getOrDefault(StoreFile.TOPOLOGY, "Standalone");
        if (!kind.equals("Sentinel")) {
            refuse(OF_SENTINEL, "topology is " + kind);
        }
        return switch (kind) {
            case "Standalone" -> {
                if (servers.size() != 1) {
                    throw new IllegalArgumentException("address names " + servers.size()
                            + " servers, but topology Standalone has one; is it Sentinel or Cluster?");
                }
                yield new Topology.Standalone(servers.getFirst());
            }
            case "Sentinel" -> {
                var name = files.get(StoreFile.SENTINEL_NAME);
                if (name == null) {
                    throw new IllegalArgumentException(
                            "topology is Sentinel, but sentinelName is missing: under what name is the primary watched?");
                }
                yield new Topology.Sentinel(
                        servers, name, credentials(StoreFile.SENTINEL_USERNAME, StoreFile.SENTINEL_PASSWORD));
            }
            case "Cluster" -> new Topology.Cluster(servers);
            default ->
                throw new IllegalArgumentException(
                        "topology '" + kind + "' is none of Standalone, Sentinel and Cluster");
        };
    }

    private Credentials credentials(StoreFile username, StoreFile password) {
        if (files.containsKey(username) && !files.containsKey(password)) {
            throw new IllegalArgumentException(name(username) + " is given, but " + name(password) + " is not");
        }
        return new Credentials(files.get(username), files.get(password));
    }

    private @Nullable Tls tls() {
        if (!flag(StoreFile.TLS)) {
            // Who gives certificates believes that they are used.
            refuse(OF_TLS, "tls is not true");
            return null;
        }
        return new Tls(
                files.get(StoreFile.CA), files.get(StoreFile.CERTIFICATE), files.get(StoreFile.KEY), verification());
    }

    private Tls.Verification verification() {
        var text = files.getOrDefault(StoreFile.VERIFICATION, "Full");
        return switch (text) {
            case "Full" -> Tls.Verification.FULL;
            case "Ca" -> Tls.Verification.CA;
            case "None" -> {
                if (!flag(StoreFile.ALLOW_UNVERIFIED)) {
                    throw new IllegalArgumentException("tlsVerify is None, which believes whoever answers;"
                            + " tlsAllowUnverified must be true to say that this is known");
                }
                yield Tls.Verification.NONE;
            }
            default -> throw new IllegalArgumentException("tlsVerify '" + text + "' is none of Full, Ca and None");
        };
    }

    private boolean flag(StoreFile file) {
        var text = files.getOrDefault(file, "false");
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name(file) + " '" + text + "' is neither true nor false");
        };
    }

    private void refuse(List<StoreFile> unexpected, String because) {
        for (var file : unexpected) {
            if (files.containsKey(file)) {
                throw new IllegalArgumentException(name(file) + " is given, but " + because);
            }
        }
    }

    private static String name(StoreFile file) {
        return file.fileName();
    }
}
