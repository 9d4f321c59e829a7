package dev.soloist.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.soloist.operator.certificates.CertificateSet.Lives;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateSetTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> NAMES = List.of("soloist-webhook.soloist-system.svc", "127.0.0.1");
    private static final Lives LIVES = new Lives(Duration.ofDays(30), Duration.ofDays(3));

    private final CertificateSet first = CertificateSet.create(NAMES, START, LIVES);

    @Test
    void theLeafIsSignedByTheTrustedAuthorityAndNamesTheService() throws GeneralSecurityException {
        var leaf = first.leaf().certificate();

        leaf.verify(first.trusted().getFirst().getPublicKey());
        assertThat(leaf.getSubjectAlternativeNames().stream()
                        .<Object>map(name -> name.get(1))
                        .toList())
                .isEqualTo(NAMES);
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void nothingChangesWhileBothAreFresh() {
        assertThat(first.renewed(NAMES, START.plus(Duration.ofDays(1)), LIVES)).isSameAs(first);
    }

    @Test
    void aLeafWithAThirdOfItsLifeLeftIsRenewedUnderTheSameAuthority() {
        var next = first.renewed(NAMES, START.plus(Duration.ofDays(2)), LIVES);

        assertThat(next.leaf()).isNotEqualTo(first.leaf());
        assertThat(next.trusted()).isEqualTo(first.trusted());
        assertThatCode(() -> next.leaf()
                        .certificate()
                        .verify(first.authority().certificate().getPublicKey()))
                .doesNotThrowAnyException();
    }

    @Test
    void aNewAuthorityIsTrustedBesideTheOldOneUntilThatExpires() {
        var later = START.plus(Duration.ofDays(20));
        var next = first.renewed(NAMES, later, LIVES);

        assertThat(next.trusted()).hasSize(2).contains(first.authority().certificate());

        var muchLater = next.renewed(NAMES, later.plus(Duration.ofDays(20)), LIVES);
        assertThat(muchLater.trusted())
                .hasSize(2)
                .doesNotContain(first.authority().certificate());
    }

    @Test
    void pemTextsAreReadBack() throws GeneralSecurityException {
        assertThat(Pem.certificates(first.bundle())).isEqualTo(first.trusted());
        assertThat(Pem.key(Pem.of(first.leaf().key()))).isEqualTo(first.leaf().key());
    }

    @Test
    void anIdentityNeverPrintsItsKey() {
        assertThat(first.leaf().toString())
                .doesNotContain(Pem.of(first.leaf().key()).substring(30, 60));
    }
}
