package dev.soloist.operator.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Makes P-256 keys and certificates. Pure but for randomness; the only class that knows Bouncy Castle's builders.
final class Issuer {

    private static final SecureRandom RANDOM = new SecureRandom();

    /// A clock of the API server that lags behind ours by less than this still accepts a fresh certificate.
    private static final Duration BACKDATED = Duration.ofMinutes(5);

    private Issuer() {}

    static Identity authority(Instant now, Duration life) {
        var keys = keys();
        var name = new X500Principal("CN=Soloist webhook CA " + Long.toString(now.getEpochSecond(), 36));
        return sign(builder(name, name, keys, now, life), keys, keys, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        });
    }

    static Identity leaf(Identity authority, List<String> dnsNames, Instant now, Duration life) {
        var keys = keys();
        var issuer = authority.certificate().getSubjectX500Principal();
        var subject = new X500Principal("CN=" + dnsNames.getFirst());
        var names = dnsNames.stream().map(Issuer::generalName).toArray(GeneralName[]::new);
        var issuerKeys = new KeyPair(authority.certificate().getPublicKey(), authority.key());
        return sign(builder(issuer, subject, keys, now, life), issuerKeys, keys, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        });
    }

    private static GeneralName generalName(String name) {
        var isAddress = name.matches("[0-9.]+");
        return new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }

    private static X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, KeyPair keys, Instant now, Duration life) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM),
                Date.from(now.minus(BACKDATED)),
                Date.from(now.plus(life)),
                subject,
                keys.getPublic());
    }

    private static Identity sign(
            X509v3CertificateBuilder builder, KeyPair signer, KeyPair subject, Extensions extensions) {
        try {
            extensions.addTo(builder);
            var content = new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate());
            return new Identity(
                    subject.getPrivate(), new JcaX509CertificateConverter().getCertificate(builder.build(content)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException impossible) {
            throw new IllegalStateException("this JDK cannot sign with P-256", impossible);
        }
    }

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK cannot make P-256 keys", impossible);
        }
    }

    @FunctionalInterface
    private interface Extensions {
        void addTo(X509v3CertificateBuilder builder) throws IOException;
    }
}
