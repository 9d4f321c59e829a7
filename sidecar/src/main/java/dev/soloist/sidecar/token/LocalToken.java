package dev.soloist.sidecar.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The bearer token of the localhost calls, both ways. Immutable and thread-safe.
 *
 * <p>A restart of the sidecar container keeps the token, for the app may have read it already. A crash while it is written leaves
 * either no file or a whole one.
 */
public final class LocalToken {

    private static final Pattern WELL_FORMED = Pattern.compile("[0-9a-f]{64}");

    private final String value;
    private final byte[] expected;

    private LocalToken(String value) {
        this.value = value;
        this.expected = authorization().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Keeps the token in the file when there is a whole one, else writes a new one. */
    public static LocalToken establish(Path file) throws IOException {
        try {
            var present = Files.readString(file).strip();
            if (WELL_FORMED.matcher(present).matches()) {
                return new LocalToken(present);
            }
        } catch (NoSuchFileException firstStart) {
            // written below
        }
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        var token = new LocalToken(HexFormat.of().formatHex(bytes));
        write(file, token.value);
        return token;
    }

    private static void write(Path file, String value) throws IOException {
        var directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException("the token file " + file + " has no directory");
        }
        Files.createDirectories(directory);
        var fresh = Files.createTempFile(directory, ".token", "");
        Files.writeString(fresh, value);
        // Readable by all: app and sidecar run under different users and often share no group. The memory
        // volume, mounted in this pod only, is the boundary.
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("r--r--r--"));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The value of the {@code Authorization} header. */
    public String authorization() {
        return "Bearer " + value;
    }

    /** Whether a header equals ours; takes the same time wherever it differs. */
    public boolean matches(String header) {
        return MessageDigest.isEqual(expected, header.getBytes(StandardCharsets.ISO_8859_1));
    }
}
