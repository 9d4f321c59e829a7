package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The rules are written twice, in CEL and in Java. On specs made at random both must say the same sentences.
@Tag("api")
class JavaAndServerAgreeIT {

    private static final long SEED = Long.getLong("soloist.seed", System.nanoTime());
    private static final int SPECS = 250;

    private final ApiServer server = ApiServer.running();
    private final String namespace = server.newNamespace();

    @Test
    void onJobs() {
        compare(new RandomSpecs(SEED).jobs(SPECS));
    }

    @Test
    void onPolicies() {
        compare(new RandomSpecs(SEED).policies(SPECS));
    }

    private void compare(Stream<Example> specs) {
        var accepted = specs.filter(this::sameSentences)
                .filter(spec -> spec.checkedInJava().isEmpty());

        assertThat(accepted.count())
                .as("accepted of %d, -Dsoloist.seed=%d", SPECS, SEED)
                .isBetween(1L, SPECS - 1L);
    }

    private boolean sameSentences(Example spec) {
        var java = spec.checkedInJava();
        var told = told(spec);
        var context = "-Dsoloist.seed=%d, %s:%n%s%nserver: %s%njava: %s".formatted(SEED, spec, spec.yaml(), told, java);
        assertThat(told).as(context).hasSameSizeAs(java);
        for (var violation : java) {
            assertThat(told).as(context).anySatisfy(cause -> {
                assertThat(cause.field()).isEqualTo(violation.field());
                assertThat(cause.sentence()).endsWith(violation.sentence());
            });
        }
        return true;
    }

    private List<Violation> told(Example spec) {
        var asWritten = ApiSerialization.lenient().unmarshal(spec.yaml(), GenericKubernetesResource.class);
        try {
            server.client().resource(asWritten).inNamespace(namespace).dryRun().create();
            return List.of();
        } catch (KubernetesClientException refused) {
            return Refusal.causesOf(refused);
        }
    }
}
