package dev.soloist.coordination.capability;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a server says about itself in INFO. Immutable.
 *
 * @param version as it says it; empty if it does not
 * @param life tells one start of a server from the next; empty if it does not say
 * @param role {@code master}, {@code slave}, or empty
 * @param evictionPolicy {@code noeviction} and so on; empty if it hides it
 */
public record ServerFacts(Family family, String version, String life, String role, String evictionPolicy) {

    /** The one policy under which Redis takes no lease away (https://redis.io/docs/latest/develop/reference/eviction/). */
    static final String NO_EVICTION = "noeviction";

    static final ServerFacts UNKNOWN = new ServerFacts(Family.UNKNOWN, "", "", "", "");

    /** Reads the text of INFO. Valkey and Pika name a Redis version as well: theirs is looked for first. */
    static ServerFacts read(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        Family family = fields.containsKey("pika_version")
                ? Family.PIKA
                : fields.containsKey("valkey_version")
                        ? Family.VALKEY
                        : fields.containsKey("redis_version") ? Family.REDIS : Family.UNKNOWN;
        return new ServerFacts(
                family,
                fields.getOrDefault(family.word() + "_version", ""),
                fields.getOrDefault("run_id", ""),
                fields.getOrDefault("role", ""),
                fields.getOrDefault("maxmemory_policy", ""));
    }

    /** Of several primaries, the worst that one of them says; another life of any is another life of all. */
    static ServerFacts together(List<ServerFacts> servers) {
        ServerFacts first = servers.getFirst();
        ServerFacts risky = servers.stream()
                .filter(server -> !server.evictsNothing().isYes())
                .findFirst()
                .orElse(first);
        boolean known = servers.stream().noneMatch(server -> server.life().isEmpty());
        return new ServerFacts(
                first.family(),
                first.version(),
                known ? servers.stream().map(ServerFacts::life).collect(Collectors.joining("+")) : "",
                servers.stream().anyMatch(server -> server.role().equals("slave")) ? "slave" : first.role(),
                risky.evictionPolicy());
    }

    /** The same, not to be told from another life. */
    ServerFacts ofUnknownLife() {
        return new ServerFacts(family, version, "", role, evictionPolicy);
    }

    Finding evictsNothing() {
        // Pika keeps its data on disk and has no eviction; a policy that it may name is that of its cache.
        if (family == Family.PIKA || evictionPolicy.equals(NO_EVICTION)) {
            return Finding.YES;
        }
        return Finding.no(
                evictionPolicy.isEmpty()
                        ? "the server does not tell its maxmemory-policy"
                        : "maxmemory-policy is " + evictionPolicy);
    }

    Finding primary() {
        return Finding.of(!role.equals("slave"), "the server is a replica");
    }

    /** For a status: family and version. */
    public String text() {
        return version.isEmpty() ? family.word() : family.word() + " " + version;
    }
}
