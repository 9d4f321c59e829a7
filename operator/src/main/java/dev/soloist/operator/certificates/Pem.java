package dev.soloist.operator.certificates;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// PEM texts of certificates and keys.
final class Pem {

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("a parsed certificate is always encodable", impossible);
        }
    }

    static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    /// @throws GeneralSecurityException if the text is not what it should be: somebody edited the Secret
    static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        var found = new ArrayList<X509Certificate>();
        var text = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(text)) {
            found.add((X509Certificate) certificate);
        }
        return found;
    }

    /// @throws GeneralSecurityException if the text is not an EC key in PKCS 8
    static PrivateKey key(String pem) throws GeneralSecurityException {
        var base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        try {
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
        } catch (IllegalArgumentException notBase64) {
            throw new GeneralSecurityException("not base64", notBase64);
        }
    }

    private static String block(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n" + LINES.encodeToString(content) + "\n-----END " + kind + "-----\n";
    }
}
