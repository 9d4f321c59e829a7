package dev.soloist.operator.certificates;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The certificate that new connections are served with. Swapping it needs no restart; connections that exist go on
/// as they are.
public final class ServingCertificate extends X509ExtendedKeyManager {

    private static final String ALIAS = "current";

    private final AtomicReference<@Nullable Identity> current = new AtomicReference<>();

    public void serve(Identity identity) {
        current.set(identity);
    }

    public Optional<Identity> current() {
        return Optional.ofNullable(current.get());
    }

    /// When the current certificate ends, in seconds since the epoch; 0 while there is none.
    public long expirySeconds() {
        return current().map(identity -> identity.expiry().getEpochSecond()).orElse(0L);
    }

    /// A TLS context that always serves the current certificate. Until there is one, handshakes fail.
    public SSLContext context() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK has no TLS", impossible);
        }
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return "EC".equals(keyType) && current.get() != null ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineServerAlias(keyType, issuers, null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        var identity = current.get();
        return identity == null ? null : new X509Certificate[] {identity.certificate()};
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        var identity = current.get();
        return identity == null ? null : identity.key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
