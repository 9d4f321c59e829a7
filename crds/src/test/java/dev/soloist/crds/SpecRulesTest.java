package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.crds.job.JobRules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules in Java, on the examples that [CustomResourceValidationIT] puts before a real API server.
class SpecRulesTest {

    @ParameterizedTest
    @MethodSource("dev.soloist.crds.Example#invalid")
    void anInvalidExampleIsRefusedWithItsSentences(Example example) {
        assertThat(example.refused()).as("sentences in the file").isNotEmpty();

        assertThat(example.checkedInJava()).containsExactlyInAnyOrderElementsOf(example.refused());
    }

    @ParameterizedTest
    @MethodSource({"dev.soloist.crds.Example#valid", "dev.soloist.crds.Example#samples"})
    void aValidExampleIsAccepted(Example example) {
        assertThat(example.refused()).as("sentences in the file").isEmpty();

        assertThat(example.checkedInJava()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.soloist.crds.Example#invalid")
    void v02_aBadStoredScheduleHasAReasonOfItsOwn(Example example) {
        if (!example.isJob()) {
            return;
        }
        var onlySchedule =
                example.refused().stream().allMatch(told -> told.field().startsWith("spec.singleton.schedule"));

        assertThat(JobRules.reason(example.checkedInJava()))
                .isEqualTo(onlySchedule ? Reasons.INVALID_SCHEDULE : Reasons.INVALID_SPEC);
    }
}
