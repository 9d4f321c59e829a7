package dev.soloist.crds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("api")
class CrdInstallationIT {

    @Test
    void kubectlInstallsBothKinds() {
        var kinds = ApiServer.running().kubectl("api-resources", "--api-group=soloist.dev", "--no-headers");

        assertThat(kinds.text())
                .containsPattern("distributedjobs +djob,djobs +soloist.dev/v1alpha1 +true +DistributedJob")
                .containsPattern("lockpolicies +lockpol +soloist.dev/v1alpha1 +true +LockPolicy");
    }
}
