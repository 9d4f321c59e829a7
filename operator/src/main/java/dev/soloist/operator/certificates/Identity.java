package dev.soloist.operator.certificates;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/// A certificate and its private key.
public record Identity(PrivateKey key, X509Certificate certificate) {

    Instant expiry() {
        return certificate.getNotAfter().toInstant();
    }

    /// Due when a third of the life is left, so that several failed attempts do no harm.
    boolean isDueForRenewal(Instant now) {
        var life = Duration.between(certificate.getNotBefore().toInstant(), expiry());
        return !now.isBefore(expiry().minus(life.dividedBy(3)));
    }

    /// Never prints the key.
    @Override
    public String toString() {
        return "Identity[" + certificate.getSubjectX500Principal() + " until " + expiry() + "]";
    }
}
