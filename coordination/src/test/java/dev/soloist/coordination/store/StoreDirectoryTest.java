package dev.soloist.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.NoSettings;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.StoreSettings;
import dev.soloist.coordination.link.Tls;
import dev.soloist.coordination.link.Topology;
import dev.soloist.coordination.testkit.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreDirectoryTest {

    private static TlsFiles tls;
    private static TlsFiles.Pair client;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeCertificates() {
        tls = TlsFiles.ofServers();
        client = tls.client(Duration.ofHours(1));
    }

    @AfterAll
    static void drop() {
        tls.close();
    }

    record Wrong(Map<String, String> files, String sentence) {}

    static Stream<Wrong> wrong() {
        return Stream.of(
                new Wrong(Map.of(), "address is missing"),
                new Wrong(Map.of("address", "  \n"), "address is missing"),
                new Wrong(Map.of("address", "redis:port"), "Redis address 'redis:port' is not host:port"),
                new Wrong(Map.of("address", "redis:70000"), "70000 is not between 1 and 65535"),
                new Wrong(Map.of("address", "a:1,"), "the Redis host is empty"),
                new Wrong(Map.of("address", "a:1,b:2"), "names 2 servers, but topology Standalone has one"),
                new Wrong(Map.of("address", "a:1", "topology", "standalone"), "topology 'standalone' is none of"),
                new Wrong(Map.of("address", "a:1", "topology", "Sentinel"), "sentinelName is missing"),
                new Wrong(
                        Map.of("address", "a:1", "sentinelName", "x"),
                        "sentinelName is given, but topology is Standalone"),
                new Wrong(
                        Map.of("address", "a:1", "topology", "Cluster", "sentinelPassword", "x"),
                        "sentinelPassword is given, but topology is Cluster"),
                new Wrong(Map.of("address", "a:1", "username", "x"), "username is given, but password is not"),
                new Wrong(
                        Map.of("address", "a:1", "topology", "Sentinel", "sentinelName", "n", "sentinelUsername", "x"),
                        "sentinelUsername is given, but sentinelPassword is not"),
                new Wrong(Map.of("address", "a:1", "tls", "yes"), "tls 'yes' is neither true nor false"),
                new Wrong(Map.of("address", "a:1", "ca.crt", "x"), "ca.crt is given, but tls is not true"),
                new Wrong(Map.of("address", "a:1", "tls", "true", "tlsVerify", "ca"), "tlsVerify 'ca' is none of"),
                new Wrong(
                        Map.of("address", "a:1", "tls", "true", "tlsVerify", "None"),
                        "tlsAllowUnverified must be true"),
                new Wrong(Map.of("address", "a:1", "tls", "true", "ca.crt", "rubbish"), "ca.crt holds no certificate"),
                new Wrong(
                        Map.of(
                                "address",
                                "a:1",
                                "tls",
                                "true",
                                "ca.crt",
                                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END"),
                        "ca.crt holds no certificate"),
                new Wrong(
                        Map.of("address", "a:1", "tls", "true", "tls.crt", client.certificate()),
                        "tls.crt is given, but tls.key is not"),
                new Wrong(
                        Map.of("address", "a:1", "tls", "true", "tls.key", client.key()),
                        "tls.key is given, but tls.crt is not"),
                new Wrong(
                        Map.of("address", "a:1", "tls", "true", "tls.crt", client.certificate(), "tls.key", "x"),
                        "tls.key holds no private key in PEM"),
                new Wrong(
                        Map.of("address", "a:1", "tls", "true", "tls.crt", tls.ca(), "tls.key", client.key()),
                        "tls.key is not the key of the certificate in tls.crt"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void badInputIsASentenceAndNoCrash(Wrong row) throws IOException {
        for (var file : row.files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }

        assertThat(read())
                .isInstanceOfSatisfying(
                        NoSettings.class,
                        no -> assertThat(no.why()).contains(row.sentence).doesNotContain("PRIVATE KEY-----"));
    }

    @Test
    void anAddressAloneIsOneServerWithoutPassword() throws IOException {
        write(StoreFile.ADDRESS, "redis.shop.svc\n");

        assertThat(read())
                .isEqualTo(RedisSettings.of(
                        new Topology.Standalone(new HostAndPort("redis.shop.svc", 6379)), Credentials.NONE, "me"));
    }

    @Test
    void sentinelsHaveANameAndCredentialsOfTheirOwn() throws IOException {
        write(StoreFile.ADDRESS, "a:1, b:2 ,[::1]:3");
        write(StoreFile.TOPOLOGY, "Sentinel");
        write(StoreFile.SENTINEL_NAME, "main");
        write(StoreFile.SENTINEL_PASSWORD, "s");
        write(StoreFile.USERNAME, "u");
        write(StoreFile.PASSWORD, "p");

        var sentinels = List.of(new HostAndPort("a", 1), new HostAndPort("b", 2), new HostAndPort("::1", 3));
        assertThat(read())
                .isEqualTo(RedisSettings.of(
                        new Topology.Sentinel(sentinels, "main", new Credentials(null, "s")),
                        new Credentials("u", "p"),
                        "me"));
    }

    @Test
    void certificatesAreReadAndVerificationIsFullUnlessSaid() throws IOException {
        write(StoreFile.ADDRESS, "a:1");
        write(StoreFile.TOPOLOGY, "Cluster");
        write(StoreFile.TLS, "true");
        write(StoreFile.CA, tls.ca());
        write(StoreFile.CERTIFICATE, client.certificate());
        write(StoreFile.KEY, client.key());

        assertThat(read()).isInstanceOfSatisfying(RedisSettings.class, settings -> {
            assertThat(settings.topology()).isInstanceOf(Topology.Cluster.class);
            assertThat(settings.tls()).isNotNull();
            assertThat(settings.tls().verification()).isEqualTo(Tls.Verification.FULL);
            assertThat(settings.toString()).doesNotContain("BEGIN");
        });
    }

    @Test
    void whoKnowsWhatNoVerificationMeansMayHaveIt() throws IOException {
        write(StoreFile.ADDRESS, "a:1");
        write(StoreFile.TLS, "true");
        write(StoreFile.VERIFICATION, "None");
        write(StoreFile.ALLOW_UNVERIFIED, "true");

        assertThat(read())
                .isInstanceOfSatisfying(
                        RedisSettings.class,
                        settings -> assertThat(settings.tls().verification()).isEqualTo(Tls.Verification.NONE));
    }

    @Test
    void filesThatChangeAtOneStrokeAreReadAsOne() throws IOException {
        var old = Files.createDirectory(folder.resolve("..old"));
        var fresh = Files.createDirectory(folder.resolve("..fresh"));
        Files.writeString(old.resolve("address"), "old:1");
        Files.writeString(fresh.resolve("address"), "fresh:1");
        Files.createSymbolicLink(folder.resolve("..data"), old.getFileName());
        Files.createSymbolicLink(folder.resolve("address"), Path.of("..data", "address"));
        var directory = new StoreDirectory(folder, "me");
        assertThat(directory.text(StoreFile.ADDRESS)).hasValue("old:1");

        Files.createSymbolicLink(folder.resolve("..tmp"), fresh.getFileName());
        Files.move(
                folder.resolve("..tmp"),
                folder.resolve("..data"),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThat(directory.text(StoreFile.ADDRESS)).hasValue("fresh:1");
        assertThat(directory.get()).isEqualTo(RedisSettings.of("fresh:1", Credentials.NONE, "me"));
    }

    @Test
    void whatTheSecretSaidStandsWhileItsFilesAreAwayOrUnreadable() throws IOException {
        var directory = new StoreDirectory(folder, "me");
        write(StoreFile.MODE, "Cas");
        assertThat(directory.text(StoreFile.MODE))
                .as("without any address ever")
                .hasValue("Cas");
        write(StoreFile.ADDRESS, "a:1");
        write(StoreFile.MINIMUM_MODE, "Cas");
        assertThat(directory.get()).isInstanceOf(RedisSettings.class);

        for (var file : List.of(StoreFile.ADDRESS, StoreFile.MODE, StoreFile.MINIMUM_MODE)) {
            Files.delete(folder.resolve(file.fileName()));
        }
        assertThat(directory.get()).isInstanceOf(NoSettings.class);
        assertThat(directory.text(StoreFile.MODE))
                .as("while the Secret is away")
                .hasValue("Cas");
        assertThat(directory.text(StoreFile.MINIMUM_MODE)).hasValue("Cas");

        Files.createDirectory(folder.resolve("address"));
        assertThat(directory.text(StoreFile.MODE))
                .as("while nothing can be read")
                .hasValue("Cas");
        Files.delete(folder.resolve("address"));

        write(StoreFile.ADDRESS, "a:1");
        write(StoreFile.MINIMUM_MODE, "Scripted");
        assertThat(directory.text(StoreFile.MODE)).as("a Secret without it").isEmpty();
        assertThat(directory.text(StoreFile.MINIMUM_MODE)).hasValue("Scripted");
    }

    private void write(StoreFile file, String text) throws IOException {
        Files.writeString(folder.resolve(file.fileName()), text);
    }

    private StoreSettings read() {
        return new StoreDirectory(folder, "me").get();
    }
}
