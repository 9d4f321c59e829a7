package dev.soloist.crds;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Specs made at random out of pieces that are right, nearly right and wrong. The same seed makes the same specs.
final class RandomSpecs {

    private static final List<String> CRON = List.of(
            "*",
            "*",
            "*",
            "0",
            "1",
            "5",
            "7",
            "8",
            "12",
            "13",
            "23",
            "24",
            "31",
            "32",
            "59",
            "60",
            "00",
            "007",
            "MON",
            "fri",
            "Sun",
            "JAN",
            "dec",
            "FOO",
            "MONDAY",
            "1-5",
            "5-1",
            "10-10",
            "MON-FRI",
            "FRI-MON",
            "NOV-FEB",
            "1-",
            "-1",
            "*/2",
            "*/0",
            "*/61",
            "0/5",
            "1-5/2",
            "*/*",
            "1,2",
            "1,",
            ",1",
            "*,*",
            "L",
            "?",
            "5#2",
            "1-99999999999",
            "MON-5",
            "");
    private static final List<String> DURATIONS = List.of(
            "30s", "5m", "1h30m", "500ms", "0s", "1s", "999ms", "1001ms", "2s", "3s", "5s", "6s", "10s", "15s", "37s",
            "1m", "2m", "10m", "601s", "1.5s", "0.5m", "1d", "-5s", "", "5", "soon", "1m1h", "99999h", "100000h",
            "1e3s");
    private static final List<String> NUMBERS = List.of("-1", "0", "1", "1", "2", "64", "65", "1000", "10001");
    private static final List<String> SIZES = List.of(
            "256Ki",
            "1Mi",
            "2Mi",
            "1024Ki",
            "1025Ki",
            "1048576",
            "1048577",
            "0",
            "64K",
            "",
            "9999999Mi",
            "12345678Ki",
            "1 Ki");
    private static final List<String> MISFIRES = List.of("RunOnce", "Skip", "Skip", "RunOnce", "Burst");
    private static final List<String> ZONES =
            List.of("Etc/UTC", "Asia/Singapore", "Mars/Base", "Local", "local", "+07:00", "", "UTC", "Europe/Paris ");
    private static final List<String> PATHS =
            List.of("/", "/a", "a", "", "/a?b", "/a#b", "/a b", "/%20", "/é", "//", "/a'b");

    private final Random random;

    RandomSpecs(long seed) {
        random = new Random(seed);
    }

    Stream<Example> jobs(int count) {
        return IntStream.range(0, count).mapToObj(i -> Example.of("job " + i, job(i)));
    }

    Stream<Example> policies(int count) {
        return IntStream.range(0, count).mapToObj(i -> Example.of("policy " + i, policy(i)));
    }

    /// Chance alone may make no spec that is right, or none that is wrong: some are one or the other by construction.
    private String job(int i) {
        return switch (i % 10) {
            case 0 -> job("/", "", "  singleton: { schedule: { every: 5s } }\n");
            case 1 -> job("a", "", "  singleton: { schedule: { every: 5s } }\n");
            default ->
                job(
                        random.nextInt(4) == 0 ? any(PATHS) : "/",
                        sometimes(", timeout: \"" + any(DURATIONS) + "\""),
                        random.nextInt(3) == 0 ? "" : singleton(),
                        random.nextInt(3) == 0 ? delayed() : "",
                        random.nextInt(12) == 0 ? "  broadcast: {}\n" : "",
                        random.nextInt(6) == 0 ? "  eventLog: { maxLength: " + any(NUMBERS) + " }\n" : "");
        };
    }

    private static String job(String path, String timeout, String... works) {
        return """
                apiVersion: soloist.dev/v1alpha1
                kind: DistributedJob
                metadata: { name: random }
                spec:
                  selector: { matchLabels: { app: shop } }
                  trigger: { port: 8080, path: "%s"%s }
                %s""".formatted(path, timeout, String.join("", works));
    }

    private String singleton() {
        return "  singleton: { schedule: {%s }%s%s%s }\n"
                .formatted(
                        switch (random.nextInt(6)) {
                            case 0 ->
                                " every: \"" + any(DURATIONS) + "\"" + sometimes(", timeZone: \"" + any(ZONES) + "\"");
                            case 1 -> " every: 5s, cron: \"" + cron() + "\"";
                            case 2 -> " cron: \"" + cron() + "\", timeZone: \"" + any(ZONES) + "\"";
                            default -> " cron: \"" + cron() + "\"";
                        },
                        rarely(", cooldown: \"" + any(DURATIONS) + "\""),
                        sometimes(", misfire: { policy: " + any(MISFIRES) + " }"),
                        sometimes(", retry: { limit: 3, backoff: " + backoff() + " }"));
    }

    private String delayed() {
        return "  delayed: { visibilityTimeout: \"%s\", backoff: %s%s }\n"
                .formatted(
                        any(DURATIONS),
                        backoff(),
                        rarely(", transport: " + any(List.of("List", "Stream", "PubSub")))
                                + rarely(", stream: { retention: \"" + any(DURATIONS) + "\" }")
                                + rarely(", delivery: " + any(List.of("AtLeastOnce", "AtMostOnce", "Never")))
                                + rarely(", maxAttempts: " + any(NUMBERS))
                                + rarely(", deduplication: { window: \"" + any(DURATIONS) + "\" }")
                                + rarely(", maxPayload: \"" + any(SIZES) + "\"")
                                + rarely(", maxDepth: " + any(NUMBERS))
                                + rarely(", deadLetter: { maxAge: \"" + any(DURATIONS) + "\" }")
                                + rarely(", rateLimit: { max: " + any(NUMBERS) + ", per: \"" + any(DURATIONS) + "\" }")
                                + rarely(", shards: " + any(NUMBERS)));
    }

    private String backoff() {
        return "{ initial: \"" + any(DURATIONS) + "\"" + sometimes(", max: \"" + any(DURATIONS) + "\"") + " }";
    }

    private String cron() {
        var fields = random.nextInt(10) == 0 ? random.nextInt(8) : 5;
        var cron = IntStream.range(0, fields).mapToObj(i -> any(CRON)).collect(Collectors.joining(" "));
        return switch (random.nextInt(20)) {
            case 0 -> "TZ=Etc/UTC " + cron;
            case 1 -> "CRON_TZ=" + cron;
            case 2 -> "@" + cron;
            default -> cron;
        };
    }

    private String policy(int i) {
        return switch (i % 10) {
            case 0 -> policy("30s", "true", "5s", "HoldUntilNextRun", "");
            case 1 -> policy("soon", "true", "5s", "HoldUntilNextRun", "");
            default ->
                policy(
                        any(DURATIONS),
                        (random.nextInt(3) > 0) + sometimes(", every: \"" + any(DURATIONS) + "\""),
                        "\"" + any(DURATIONS) + "\"" + sometimes(", grace: \"" + any(DURATIONS) + "\""),
                        any(List.of("OnCompletion", "HoldUntilNextRun", "HoldFor"))
                                + sometimes(", holdFor: \"" + any(DURATIONS) + "\""),
                        sometimes("  maxRunTime: \"" + any(DURATIONS) + "\"\n")
                                + sometimes("  recoveryObjective: \"" + any(DURATIONS) + "\"\n")
                                + sometimes("  durability: {" + durability() + " }\n"));
        };
    }

    private String durability() {
        return (random.nextInt(4) == 0 ? " mode: Local" : " mode: Replicated")
                + sometimes(", replicas: " + random.nextInt(8))
                + sometimes(", timeout: \"" + any(DURATIONS) + "\"");
    }

    private static String policy(String ttl, String heartbeat, String watchdog, String release, String times) {
        return """
                apiVersion: soloist.dev/v1alpha1
                kind: LockPolicy
                metadata: { name: random }
                spec:
                  ttl: "%s"
                  heartbeat: { enabled: %s }
                  watchdog: { every: %s }
                  release: { policy: %s }
                %s""".formatted(ttl, heartbeat, watchdog, release, times);
    }

    private String rarely(String text) {
        return random.nextInt(4) == 0 ? text : "";
    }

    private String sometimes(String text) {
        return random.nextBoolean() ? text : "";
    }

    private String any(List<String> pieces) {
        return pieces.get(random.nextInt(pieces.size()));
    }
}
