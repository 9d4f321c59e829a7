package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.Tls;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority of its own, a server's certificate for {@code localhost} and {@code 127.0.0.1}, and as many
 * certificates of clients as wanted, made by {@code openssl} in a folder that goes away at the end.
 */
public final class TlsFiles implements AutoCloseable {

    private static final Duration LONG = Duration.ofDays(1);

    private final Path folder;
    private final boolean mutual;
    private final @Nullable Pair own;

    /** What openssl made: both in PEM. */
    public record Pair(String certificate, String key) {}

    private TlsFiles(boolean mutual) {
        this.mutual = mutual;
        try {
            this.folder = Files.createTempDirectory("soloist-tls");
            Files.createDirectories(folder.resolve("issued"));
            Files.createFile(folder.resolve("index.txt"));
            Files.writeString(folder.resolve("serial"), "01");
            Files.writeString(folder.resolve("ca.cnf"), """
                    [ca]
                    default_ca = own
                    [own]
                    dir = %1$s
                    database = %1$s/index.txt
                    serial = %1$s/serial
                    new_certs_dir = %1$s/issued
                    certificate = %1$s/ca.crt
                    private_key = %1$s/ca.key
                    default_md = sha256
                    policy = any
                    unique_subject = no
                    copy_extensions = copy
                    [any]
                    commonName = supplied
                    """.formatted(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                "ca.key",
                "-out",
                "ca.crt",
                "-days",
                "2",
                "-subj",
                "/CN=soloist test CA");
        issue("server", "localhost", "DNS:localhost,IP:127.0.0.1", LONG);
        own = mutual ? client(LONG) : null;
    }

    /** Servers show a certificate, clients need none. */
    public static TlsFiles ofServers() {
        return new TlsFiles(false);
    }

    /** Servers want a certificate of each client, too. */
    public static TlsFiles mutual() {
        return new TlsFiles(true);
    }

    /** The authority's certificate in PEM. */
    public String ca() {
        return read("ca.crt");
    }

    /** A new certificate of a client. */
    public Pair client(Duration validFor) {
        return issue("client", "client", "DNS:client", validFor);
    }

    /** What a client says that trusts the authority only, with a certificate of its own where servers want one. */
    public Tls client() {
        return tls(own, Tls.Verification.FULL);
    }

    /** The same with a certificate or none, and another verification. */
    public Tls tls(@Nullable Pair own, Tls.Verification verification) {
        return new Tls(ca(), own == null ? null : own.certificate(), own == null ? null : own.key(), verification);
    }

    /** Replaces the server's certificate on disk; a server that runs keeps the old one until it is told to read anew. */
    public TlsFiles renewServer(String names, Duration validFor) {
        issue("server", "localhost", names, validFor);
        return this;
    }

    /** Options of a redis-server: no port but the encrypted one, replication and cluster bus encrypted as well. */
    public String[] serverOptions(int port) {
        return new String[] {
            "--tls-port", String.valueOf(port),
            "--tls-cert-file", file("server.crt"),
            "--tls-key-file", file("server.key"),
            "--tls-ca-cert-file", file("ca.crt"),
            "--tls-auth-clients", mutual ? "yes" : "no",
            "--tls-replication", "yes",
            "--tls-cluster", "yes"
        };
    }

    /** The same as lines of a configuration file. */
    List<String> serverLines(int port) {
        var lines = new ArrayList<String>();
        String[] options = serverOptions(port);
        for (int i = 0; i < options.length; i += 2) {
            lines.add(options[i].substring(2) + " " + options[i + 1]);
        }
        return lines;
    }

    /** The path of one of the files. */
    public String file(String name) {
        return folder.resolve(name).toString();
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Pair issue(String file, String name, String alternatives, Duration validFor) {
        var format = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
        Instant now = Instant.now();
        openssl(
                "req",
                "-new",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                file + ".key",
                "-out",
                file + ".csr",
                "-subj",
                "/CN=" + name,
                "-addext",
                "subjectAltName=" + alternatives);
        openssl(
                "ca",
                "-batch",
                "-notext",
                "-config",
                "ca.cnf",
                "-in",
                file + ".csr",
                "-out",
                file + ".crt",
                "-startdate",
                format.format(now.minusSeconds(60)),
                "-enddate",
                format.format(now.plus(validFor)));
        return new Pair(read(file + ".crt"), read(file + ".key"));
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void openssl(String... arguments) {
        var command = new ArrayList<String>();
        command.add("openssl");
        command.addAll(Arrays.asList(arguments));
        try {
            var log = folder.resolve("openssl.log").toFile();
            int end = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start()
                    .waitFor();
            if (end != 0) {
                throw new IllegalStateException(command + ": " + Files.readString(log.toPath()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
