package dev.soloist.operator.store;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.store.StoreDirectory;
import dev.soloist.operator.capability.ToldFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sidecars are told out of the operator's own files, as a kubelet mounts and changes them. */
class SidecarFilesTest {

    @TempDir
    private Path folder;

    private ToldFiles told;

    @BeforeEach
    void mount() {
        told = new ToldFiles(new StoreDirectory(folder, "operator")::lastWhole, StoreMode.Scripted::new);
    }

    @Test
    void theyAreToldHowToReachTheStoreAndNeverWhoTheOperatorIs() throws IOException {
        turn(
                "one",
                Map.of("address", "redis:6379", "username", "operator", "password", "secret", "minimumMode", "Cas"));
        assertThat(told.get()).isEqualTo(Map.of("address", "redis:6379", "mode", "Scripted"));
    }

    @Test
    void aCertificateOfTheirOwnIsToldWithItsKeyOrNotAtAll() throws IOException {
        turn("one", Map.of("address", "a:1", "tls.crt", "C", "tls.key", "K", "sidecarTls.crt", "S"));
        assertThat(told.get()).containsEntry("tls.crt", "C").containsEntry("tls.key", "K");

        turn(
                "two",
                Map.of("address", "a:1", "tls.crt", "C", "tls.key", "K", "sidecarTls.crt", "S", "sidecarTls.key", "T"));
        assertThat(told.get()).containsEntry("tls.crt", "S").containsEntry("tls.key", "T");
    }

    @Test
    void aSecretThatChangesMeanwhileIsToldAsOfOneMoment() {
        var looks = new AtomicInteger();
        // A mount that changes between any two looks at it, in all its files.
        var changing = new ToldFiles(
                () -> {
                    var content = "of look " + looks.incrementAndGet();
                    return Stream.of(StoreFile.values()).collect(toMap(identity(), _ -> content));
                },
                StoreMode.Cas::new);
        var answer = new TreeMap<>(changing.get());

        assertThat(answer.remove("mode")).isEqualTo("Cas");
        assertThat(answer).containsKeys("address", "username", "password", "ca.crt", "tls.crt", "tls.key");
        assertThat(answer.values()).containsOnly(answer.get("address"));
    }

    @Test
    void whileTheOperatorsSecretIsAwayTheyAreToldWhatItSaidLast() throws IOException {
        turn("one", Map.of("address", "a:1", "tls", "true", "ca.crt", "PEM"));
        var before = told.get();
        assertThat(before).containsKeys("address", "tls", "ca.crt");

        turn("gone", Map.of());
        assertThat(told.get()).isEqualTo(before);

        turn("two", Map.of("address", "b:2"));
        assertThat(told.get()).isEqualTo(Map.of("address", "b:2", "mode", "Scripted"));
    }

    /** Changes all files at one stroke. */
    private void turn(String name, Map<String, String> files) throws IOException {
        var fresh = Files.createDirectory(folder.resolve(".." + name));
        for (var file : files.entrySet()) {
            Files.writeString(fresh.resolve(file.getKey()), file.getValue());
        }
        Files.createSymbolicLink(folder.resolve("..tmp"), fresh.getFileName());
        Files.move(
                folder.resolve("..tmp"),
                folder.resolve("..data"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
