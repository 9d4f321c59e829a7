package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.JobDefaults;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.PolicyDefaults;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user of `kubectl apply` is told, by a real API server.
@Tag("api")
class CustomResourceValidationIT {

    private static KubernetesClient client;
    private static String namespace;

    @BeforeAll
    static void server() {
        client = ApiServer.running().client();
        namespace = ApiServer.running().newNamespace();
    }

    @ParameterizedTest
    @MethodSource("dev.soloist.crds.Example#invalid")
    void anInvalidExampleIsRefusedWithItsSentences(Example example) {
        var told = Refusal.causesOf(refusalOf(example));

        assertThat(told).hasSameSizeAs(example.refused());
        for (var expected : example.refused()) {
            assertThat(told).anySatisfy(cause -> {
                assertThat(cause.field()).isEqualTo(expected.field());
                assertThat(cause.sentence()).endsWith(expected.sentence());
            });
        }
        assertNothingIsStored(example);
    }

    @ParameterizedTest
    @MethodSource({"dev.soloist.crds.Example#valid", "dev.soloist.crds.Example#samples"})
    void aValidExampleIsStoredWithTheDefaultsThatJavaFillsIn(Example example) {
        if (example.isJob()) {
            var stored = client.resource(example.job()).inNamespace(namespace).create();
            assertThat(stored.getSpec())
                    .isEqualTo(JobDefaults.fill(example.job().getSpec()));
        } else {
            var stored =
                    client.resource(example.policy()).inNamespace(namespace).create();
            assertThat(stored.getSpec())
                    .isEqualTo(PolicyDefaults.fill(example.policy().getSpec()));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    port: 8080    | port: eighty      | spec.trigger.port
                    port: 8080    | port: 80.5        | spec.trigger.port
                    path: /jobs   | path: 5           | spec.trigger.path
                    app: shop     | app: true         | spec.selector.matchLabels.app
                    every: 5s     | every: 5          | spec.singleton.schedule.every
                    """)
    void aValueOfTheWrongKindIsRefusedAtItsField(String right, String wrong, String field) {
        var job = jobWith("every: 5s");

        var told = Refusal.causesOf(refusalOf(Example.of("wrong", job.yaml().replace(right, wrong))));

        assertThat(told).extracting(Violation::field).contains(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "super cron today",
                "* * * * * * * * * * * * * * * * * * * * * * * *",
                "0 2 * *",
                "",
                "@every -5s",
                "61 * * * *",
                "* * * * 8"
            })
    void v01_nonsenseIsRefusedWithTheFieldAndWhatToWrite(String cron) {
        var job = jobWith("cron: \"" + cron + "\"");

        assertThat(Refusal.causesOf(refusalOf(job))).singleElement().satisfies(cause -> {
            assertThat(cause.field()).isEqualTo("spec.singleton.schedule.cron");
            assertThat(cause.sentence()).containsPattern("spec.singleton.schedule.cron.* must (be|have) ");
        });
        assertNothingIsStored(job);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "timeZone: Asia/Ho_Chi_Minh"})
    void v03_aZoneInTheCronTextIsSentToTimeZone(String besides) {
        var job = jobWith("cron: TZ=Asia/Ho_Chi_Minh 0 9 * * *", besides);

        assertThat(Refusal.causesOf(refusalOf(job)))
                .singleElement()
                .satisfies(cause ->
                        assertThat(cause.sentence()).endsWith("write the zone into spec.singleton.schedule.timeZone"));
    }

    @ParameterizedTest
    @CsvSource({"Mars/Base", "local", "Local", "+07:00", "''"})
    void v04_anUnknownZoneIsRefused(String zone) {
        var job = jobWith("cron: 0 9 * * *", "timeZone: \"" + zone + "\"");

        assertThat(Refusal.causesOf(refusalOf(job))).singleElement().satisfies(cause -> {
            assertThat(cause.sentence())
                    .contains("spec.singleton.schedule.timeZone must be a zone of the IANA database");
        });
        assertThat(job.checkedInJava()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Singapore", "America/Argentina/Buenos_Aires", "Etc/UTC", "Europe/Kyiv"})
    void v04_aKnownZoneIsAccepted(String zone) {
        var job = jobWith("cron: 0 9 * * *", "timeZone: " + zone);

        client.resource(job.resource()).inNamespace(namespace).dryRun().create();

        assertThat(job.checkedInJava()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5s, 10s", "30s, 11s", "6s, 2001ms"})
    void l11_aRenewalSlowerThanAThirdOfTheLeaseIsRefusedWithBothFields(String ttl, String every) {
        var policy = Example.of("l11", """
                apiVersion: soloist.dev/v1alpha1
                kind: LockPolicy
                metadata: { name: l11 }
                spec: { ttl: %s, heartbeat: { every: %s } }
                """.formatted(ttl, every));

        assertThat(Refusal.causesOf(refusalOf(policy)))
                .singleElement()
                .satisfies(cause -> assertThat(cause.sentence())
                        .endsWith("spec.heartbeat.every (" + every + ") must be at most a third of spec.ttl (" + ttl
                                + "): lower spec.heartbeat.every or raise spec.ttl"));
    }

    private static Example jobWith(String... schedule) {
        return Example.of("case", """
                apiVersion: soloist.dev/v1alpha1
                kind: DistributedJob
                metadata: { name: case }
                spec:
                  selector: { matchLabels: { app: shop } }
                  trigger: { port: 8080, path: /jobs }
                  singleton:
                    schedule:
                      %s
                """.formatted(String.join("\n      ", List.of(schedule))));
    }

    /// Sent as it is written, not as our classes read it.
    private static KubernetesClientException refusalOf(Example example) {
        var asWritten = ApiSerialization.lenient().unmarshal(example.yaml(), GenericKubernetesResource.class);
        var refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> client.resource(asWritten).inNamespace(namespace).create());
        assertThat(refusal).as("refusal of " + example).isNotNull();
        return refusal;
    }

    private static void assertNothingIsStored(Example example) {
        var name = example.resource().getMetadata().getName();
        var kind = example.isJob() ? DistributedJob.class : LockPolicy.class;
        assertThat(client.resources(kind).inNamespace(namespace).withName(name).get())
                .isNull();
    }
}
