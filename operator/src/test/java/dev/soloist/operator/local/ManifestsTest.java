package dev.soloist.operator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.crds.GoDuration;
import dev.soloist.crds.policy.EffectivePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ManifestsTest {

    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    Path folder;

    @Test
    void theExamplesAreUnderstoodAndOtherKindsLeftOut() throws Exception {
        var plan = Plan.of(Manifests.read(List.of(EXAMPLES.resolve("01-singleton"), EXAMPLES.resolve("02-delayed"))));

        assertThat(plan.namespace()).isEqualTo("shop");
        assertThat(plan.singleton().id()).hasToString("shop/price-refresh");
        assertThat(plan.singleton().work()).isInstanceOf(SingletonWork.class);
        assertThat(plan.singleton().policy().heartbeatEvery()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Objects.requireNonNull(plan.queue()).work()).isInstanceOf(DelayedWork.class);
    }

    static List<Path> examples() throws IOException {
        try (var folders = Files.list(EXAMPLES)) {
            return folders.filter(example -> example.getFileName().toString().matches("[0-9].*"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleKeepsEveryRule(Path example) throws Exception {
        var manifests = Manifests.read(List.of(example));

        assertThat(Plan.of(manifests).jobs()).isNotEmpty();
        for (var policy : manifests.policies()) {
            assertThat(EffectivePolicy.of(policy).worstCaseRecovery()).isPositive();
        }
    }

    @Test
    void theRecoveryExampleStatesWhatItsPoliciesDo() throws Exception {
        var stated = Files.readString(EXAMPLES.resolve("10-recovery/README.md"));

        var policies = Manifests.read(List.of(EXAMPLES.resolve("10-recovery"))).policies();

        assertThat(policies).hasSize(3);
        for (var policy : policies) {
            var effective = EffectivePolicy.of(policy);
            assertThat(stated)
                    .containsPattern("# %s +%s +HoldUntilNextRun +%s +…\n"
                            .formatted(
                                    policy.getMetadata().getName(),
                                    GoDuration.format(effective.ttl()),
                                    GoDuration.format(effective.worstCaseRecovery())));
        }
    }

    @Test
    void severalDocumentsInOneFileAreRead() throws Exception {
        Files.writeString(
                folder.resolve("all.yaml"),
                "apiVersion: v1\nkind: Namespace\n---\n" + policy("a") + "---\n" + policy("b"));

        assertThat(Manifests.read(List.of(folder)).policies())
                .extracting(policy -> policy.getMetadata().getName())
                .containsExactly("a", "b");
    }

    @Test
    void anUnknownFieldIsAnErrorThatNamesTheFile() throws Exception {
        Files.writeString(folder.resolve("typo.yaml"), policy("a") + "  tttl: 3s\n");

        assertThatThrownBy(() -> Manifests.read(List.of(folder)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("typo.yaml")
                .hasMessageContaining("tttl");
    }

    @Test
    void aLockPolicyThatIsNotThereIsSaid() throws Exception {
        Files.copy(EXAMPLES.resolve("01-singleton/03.DistributedJob.price-refresh.yaml"), folder.resolve("job.yaml"));

        assertThatThrownBy(() -> Plan.of(Manifests.read(List.of(folder))))
                .hasMessageContaining("the LockPolicy careful is not in the manifests");
    }

    private static String policy(String name) {
        return "apiVersion: soloist.dev/v1alpha1\nkind: LockPolicy\nmetadata: { name: " + name
                + ", namespace: shop }\nspec:\n  ttl: 30s\n";
    }
}
