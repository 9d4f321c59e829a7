package dev.soloist.operator.certificates;

import dev.soloist.operator.certificates.CertificateSet.Lives;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the serving certificate fresh and trusted, on every replica alike. One [#runOnce()] at a time.
///
/// The order is what keeps admissions working through a renewal: a new certificate is first stored, then
/// trusted, and served one pass later. The bundle still holds the earlier authority, so replicas that have not
/// swapped yet stay trusted too. A crash between any two steps leaves a state from which the next pass, of any
/// replica, goes on.
public final class CertificateKeeper {

    private static final Logger LOGGER = LoggerFactory.getLogger(CertificateKeeper.class);
    private static final Duration SETTLED = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final Duration AT_ONCE = Duration.ofMillis(50);

    private final CertificateSecret secret;
    private final TrustBundle bundle;
    private final ServingCertificate serving;
    private final List<String> dnsNames;
    private final InstantSource clock;
    private final Lives lives;

    /// @param dnsNames what the API server calls the webhook, the name it uses first
    public CertificateKeeper(
            KubernetesClient client, CertificatePlaces places, ServingCertificate serving, List<String> dnsNames) {
        this(client, places, serving, dnsNames, InstantSource.system(), Lives.DEFAULT);
    }

    CertificateKeeper(
            KubernetesClient client,
            CertificatePlaces places,
            ServingCertificate serving,
            List<String> dnsNames,
            InstantSource clock,
            Lives lives) {
        this.secret = new CertificateSecret(client, places.namespace(), places.secret());
        this.bundle = new TrustBundle(client, places.webhookConfiguration());
        this.serving = serving;
        this.dnsNames = List.copyOf(dnsNames);
        this.clock = clock;
        this.lives = lives;
    }

    /// One pass.
    ///
    /// @return when to make the next one
    /// @throws KubernetesClientException if the API server refuses or is away; what is served stays served
    public Duration runOnce() {
        var stored = secret.read();
        var now = clock.instant();
        var wanted = stored.set()
                .map(set -> set.renewed(dnsNames, now, lives))
                .orElseGet(() -> CertificateSet.create(dnsNames, now, lives));
        if (!stored.set().equals(Optional.of(wanted))) {
            if (!secret.write(wanted, stored.version())) {
                return AT_ONCE;
            }
            LOGGER.atInfo().addKeyValue("leaf", wanted.leaf()).log("stored a new webhook certificate");
        }
        return serve(wanted);
    }

    private Duration serve(CertificateSet set) {
        var trusted = bundle.ensure(set.bundle());
        var servesIt = serving.current()
                .filter(identity -> identity.certificate().equals(set.leaf().certificate()))
                .isPresent();
        if (servesIt) {
            return SETTLED;
        }
        if (trusted == TrustBundle.State.PATCHED && serving.current().isPresent()) {
            return SOON;
        }
        serving.serve(set.leaf());
        LOGGER.atInfo().addKeyValue("leaf", set.leaf()).log("serving a new webhook certificate");
        return SETTLED;
    }
}
