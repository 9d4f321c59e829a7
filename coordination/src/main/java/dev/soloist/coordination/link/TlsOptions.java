package dev.soloist.coordination.link;

import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Makes of texts in PEM what Lettuce wants; the name that is dialled goes along as SNI by the JDK's own doing. */
final class TlsOptions {

    private static final char[] NO_PASSWORD = new char[0];

    private TlsOptions() {}

    static SslOptions of(Tls tls) {
        var options = SslOptions.builder().jdkSslProvider().handshakeTimeout(Duration.ofSeconds(5));
        try {
            if (tls.ca() != null) {
                options.trustManager(trust(Pem.certificates(tls.ca(), "ca.crt")));
            }
            if (tls.certificate() != null && tls.key() != null) {
                options.keyManager(identity(tls.certificate(), tls.key()));
            }
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK refuses certificates that it has read", e);
        }
        return options.build();
    }

    private static TrustManagerFactory trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        var store = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca-" + i, authorities.get(i));
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static KeyManagerFactory identity(String certificate, String key)
            throws GeneralSecurityException, IOException {
        var store = emptyStore();
        store.setKeyEntry(
                "own",
                Pem.privateKey(key, "tls.key"),
                NO_PASSWORD,
                Pem.certificates(certificate, "tls.crt").toArray(X509Certificate[]::new));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, NO_PASSWORD);
        return store;
    }
}
