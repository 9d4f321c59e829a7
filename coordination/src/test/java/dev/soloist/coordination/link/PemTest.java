package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys as openssl writes them, in all forms that a certificate manager may choose. */
class PemTest {

    @TempDir
    private Path folder;

    record Form(String algorithm, List<String> command) {}

    static Stream<Form> forms() {
        return Stream.of(
                new Form("RSA", List.of("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")),
                new Form("RSA", List.of("genrsa", "-traditional", "2048")),
                new Form("EC", List.of("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")),
                new Form("EC", List.of("ecparam", "-name", "prime256v1", "-genkey", "-noout")),
                new Form("EC", List.of("ecparam", "-name", "secp521r1", "-genkey")),
                new Form("EdDSA", List.of("genpkey", "-algorithm", "ED25519")));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyUsualFormOfAKeyIsRead(Form form) throws Exception {
        String pem = openssl(form.command);

        assertThat(Pem.privateKey(pem, "tls.key").getAlgorithm()).isEqualTo(form.algorithm);
    }

    @Test
    void aKeyBehindAPassphraseIsRefusedWithASentence() throws Exception {
        String pem = openssl(List.of("genpkey", "-algorithm", "ED25519", "-aes256", "-pass", "pass:secret"));

        assertThatThrownBy(() -> Pem.privateKey(pem, "tls.key"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("passphrase");
    }

    @Test
    void aKeyThatIsCutOffIsRefusedWithASentence() {
        for (String kind : List.of("", "RSA ", "EC ")) {
            for (String body : List.of("MIIB", "MHcCAQEE", "AA==")) {
                String pem =
                        "-----BEGIN %sPRIVATE KEY-----\n%s\n-----END %sPRIVATE KEY-----\n".formatted(kind, body, kind);
                assertThatThrownBy(() -> Pem.privateKey(pem, "tls.key"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("tls.key");
            }
        }
    }

    private String openssl(List<String> arguments) throws IOException, InterruptedException {
        var out = folder.resolve("key.pem");
        var command = new java.util.ArrayList<>(List.of("openssl"));
        command.addAll(arguments);
        var process = new ProcessBuilder(command).redirectOutput(out.toFile()).start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(out);
    }
}
