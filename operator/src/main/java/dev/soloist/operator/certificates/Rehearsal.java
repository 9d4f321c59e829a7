package dev.soloist.operator.certificates;

import dev.soloist.operator.certificates.CertificateSet.Lives;
import java.time.Instant;
import java.util.List;

/// Makes certificates for nobody, to load what making them needs.
public final class Rehearsal {

    private Rehearsal() {}

    public static void makeCertificates() {
        var set = CertificateSet.create(List.of("localhost"), Instant.now(), Lives.DEFAULT);
        var serving = new ServingCertificate();
        serving.serve(set.leaf());
        var _ = serving.context();
        if (set.bundle().isEmpty()) {
            throw new IllegalStateException("a bundle holds its authority");
        }
    }
}
