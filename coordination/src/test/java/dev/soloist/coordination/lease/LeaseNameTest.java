package dev.soloist.coordination.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LeaseNameTest {

    @Test
    void aNameIsCountedInBytes() {
        assertThat(new LeaseName("é".repeat(128)).text()).hasSize(128);
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseName("é".repeat(129)));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseName(""));
    }

    @Test
    void aHolderCannotBreakTheFormOfARecord() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseHolder("a|b", "pod"));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseHolder("uid", "a|b"));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseHolder("", "pod"));
    }
}
