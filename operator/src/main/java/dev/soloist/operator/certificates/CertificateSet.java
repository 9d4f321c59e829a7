package dev.soloist.operator.certificates;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// All that serving and trusting needs at one moment.
///
/// @param authority signs the next leaf
/// @param leaf what the webhook serves
/// @param trusted what the API server must trust: the authority first, then earlier ones, since another
///   replica may
/// still serve their leaf
record CertificateSet(Identity authority, Identity leaf, List<X509Certificate> trusted) {

    CertificateSet {
        trusted = List.copyOf(trusted);
    }

    /// How long certificates live.
    record Lives(Duration authority, Duration leaf) {
        static final Lives DEFAULT = new Lives(Duration.ofDays(730), Duration.ofDays(90));
    }

    static CertificateSet create(List<String> dnsNames, Instant now, Lives lives) {
        var authority = Issuer.authority(now, lives.authority());
        var leaf = Issuer.leaf(authority, dnsNames, now, lives.leaf());
        return new CertificateSet(authority, leaf, List.of(authority.certificate()));
    }

    /// This set, or the one that should follow it now.
    CertificateSet renewed(List<String> dnsNames, Instant now, Lives lives) {
        if (authority.isDueForRenewal(now)) {
            var fresh = create(dnsNames, now, lives);
            var all = new ArrayList<>(fresh.trusted());
            trusted.stream()
                    .filter(old -> old.getNotAfter().toInstant().isAfter(now))
                    .forEach(all::add);
            return new CertificateSet(fresh.authority(), fresh.leaf(), all);
        }
        if (leaf.isDueForRenewal(now)) {
            return new CertificateSet(authority, Issuer.leaf(authority, dnsNames, now, lives.leaf()), trusted);
        }
        return this;
    }

    String bundle() {
        return trusted.stream().map(Pem::of).collect(Collectors.joining());
    }
}
