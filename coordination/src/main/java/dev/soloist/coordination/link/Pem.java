package dev.soloist.coordination.link;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from PEM, with a sentence for what cannot be read. Pure. */
final class Pem {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private Pem() {}

    static List<X509Certificate> certificates(String pem, String file) {
        try {
            var found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException(file + " holds no certificate in PEM");
            }
            return found;
        } catch (CertificateException e) {
            throw new IllegalArgumentException(file + " holds no certificate in PEM that can be read", e);
        }
    }

    /** A key in PKCS#8, or in the older forms of RSA and EC keys that many tools still write. */
    static PrivateKey privateKey(String pem, String file) {
        Matcher found = KEY.matcher(pem);
        if (!found.find()) {
            throw new IllegalArgumentException(
                    file + " holds no private key in PEM that is free of a passphrase (BEGIN PRIVATE KEY)");
        }
        byte[] der;
        try {
            der = Base64.getMimeDecoder().decode(found.group(2));
            der = switch (found.group(1).strip()) {
                case "" -> der;
                case "RSA" -> Pkcs8.ofRsa(der);
                case "EC" -> Pkcs8.ofEc(der);
                default ->
                    throw new IllegalArgumentException(file + " holds a private key of the kind '"
                            + found.group(1).strip() + "', which cannot be read; use PKCS#8 without a passphrase");
            };
        } catch (IndexOutOfBoundsException broken) {
            throw new IllegalArgumentException(file + " holds a private key that is cut off", broken);
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException otherKind) {
                // The next algorithm may read it.
            }
        }
        throw new IllegalArgumentException(file + " holds a private key that is neither RSA nor EC nor Ed25519");
    }

    /** Half of a rotation, a new certificate beside an old key, is found here and not by the server. */
    static void checkPair(X509Certificate certificate, PrivateKey key) {
        byte[] probe = "probe".getBytes(StandardCharsets.US_ASCII);
        boolean pair;
        try {
            var signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> "Ed25519";
                    });
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(probe);
            pair = signature.verify(signed);
        } catch (GeneralSecurityException differentKinds) {
            pair = false;
        }
        if (!pair) {
            throw new IllegalArgumentException("tls.key is not the key of the certificate in tls.crt");
        }
    }
}
