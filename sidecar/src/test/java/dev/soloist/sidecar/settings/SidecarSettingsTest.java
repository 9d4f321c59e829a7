package dev.soloist.sidecar.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SidecarSettingsTest {

    private static final Map<String, String> POD =
            Map.of("POD_UID", "u-1", "POD_NAME", "p", "POD_NAMESPACE", "shop", "SOLOIST_SEGMENT", "u-1");

    @Test
    void thePodAndItsDefaultsAreRead() {
        var settings = SidecarSettings.fromEnvironment(POD);

        assertThat(settings.segmentBase()).isEqualTo("u-1");
        assertThat(settings.environment().apiPort()).isEqualTo(7600);
        assertThat(settings.shutdownBudget()).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void aMissingPodFieldAndAnUnexpandedSegmentSayWhatToChange() {
        var env = new HashMap<>(POD);
        env.remove("POD_UID");
        assertThatThrownBy(() -> SidecarSettings.fromEnvironment(env)).hasMessageContaining("POD_UID is not set");

        env.put("POD_UID", "u-1");
        env.put("SOLOIST_SEGMENT", "$(POD_UID)");
        assertThatThrownBy(() -> SidecarSettings.fromEnvironment(env)).hasMessageContaining("must stand before it");
    }

    @Test
    void aSidecarEndsAfterItsAppUnlessItIsToldOtherwise() {
        var env = new HashMap<>(POD);
        assertThat(SidecarSettings.fromEnvironment(env).endsWithApp()).isFalse();

        env.put("SOLOIST_ENDS_WITH_APP", "true");
        assertThat(SidecarSettings.fromEnvironment(env).endsWithApp()).isTrue();

        env.put("SOLOIST_ENDS_WITH_APP", "yes");
        assertThatThrownBy(() -> SidecarSettings.fromEnvironment(env)).hasMessageContaining("true or false");
    }

    @Test
    void aShortGraceStillLeavesTimeToEnd() {
        var env = new HashMap<>(POD);
        env.put("SOLOIST_GRACE_SECONDS", "2");
        assertThat(SidecarSettings.fromEnvironment(env).shutdownBudget()).isEqualTo(Duration.ofSeconds(1));
    }
}
