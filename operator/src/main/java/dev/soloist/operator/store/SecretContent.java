package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the Secret of a namespace is to hold, given what it holds now. Who deletes it, or asks by an annotation, gets a
/// new password, and the old one stays valid until sidecars have followed. While sidecars may not be sent to the store
/// that the operator has, nothing changes: what they hold belongs to the one they are on. Reads no clock and no server
/// by itself.
///
/// @param data as in the Secret, encoded; empty where there is to be none
/// @param annotations those to set; others are left alone
/// @param passwords that are to be valid
/// @param complete false while sidecars are not to be sent to the store yet
record SecretContent(Map<String, String> data, Map<String, String> annotations, Passwords passwords, boolean complete) {

    /// A kubelet brings a changed Secret to its pods within about two minutes.
    static final Duration FORMER_STAYS_VALID = Duration.ofMinutes(10);

    /// Any new value asks for a new password.
    static final String ROTATE = "soloist.dev/rotate-password";

    private static final String ROTATED = "soloist.dev/rotated-password";
    private static final String SINCE = "soloist.dev/password-since";
    private static final String FORMER = "soloist.dev/former-password-sha256";
    private static final List<StoreFile> WHICH_STORE =
            List.of(StoreFile.ADDRESS, StoreFile.TOPOLOGY, StoreFile.SENTINEL_NAME);

    SecretContent {
        data = Map.copyOf(data);
        annotations = Map.copyOf(annotations);
    }

    /// What is wanted of a Secret.
    ///
    /// @param shared what sidecars are told beside their user, by file name
    /// @param username of the namespace's own user; null where it has none and `shared` says who sidecars are
    /// @param now Redis' time
    /// @param mayMove whether sidecars may be sent to a store that the Secret does not tell, be it that it
    ///   tells another or none: who deleted it has not made sidecars forget; asked only then
    /// @param inForce digests of the passwords that Redis accepts now; asked only when the Secret tells none
    record Wish(
            Map<String, String> shared,
            @Nullable String username,
            Instant now,
            BooleanSupplier mayMove,
            Supplier<List<String>> inForce) {}

    static SecretContent of(@Nullable Secret found, Wish wish) {
        var held = found == null || found.getData() == null ? Map.<String, String>of() : found.getData();
        var notes = found == null || found.getMetadata().getAnnotations() == null
                ? Map.<String, String>of()
                : found.getMetadata().getAnnotations();
        var wanted = new TreeMap<String, String>();
        wish.shared().forEach((file, text) -> wanted.put(file, encode(text)));
        var user = wish.username();
        if (!isSameStore(held, wanted) && !wish.mayMove().getAsBoolean()) {
            return new SecretContent(held, Map.of(), asTold(held, notes, wish), false);
        }
        if (user == null) {
            return new SecretContent(wanted, Map.of(), Passwords.NONE, true);
        }
        var changes = new HashMap<String, String>();
        var passwords = passwords(held, notes, wish, changes);
        wanted.put(StoreFile.USERNAME.fileName(), encode(user));
        wanted.put(StoreFile.PASSWORD.fileName(), encode(passwords.current()));
        return new SecretContent(wanted, changes, passwords, true);
    }

    /// Those that open this store with what sidecars hold, once they come.
    private static Passwords asTold(Map<String, String> held, Map<String, String> notes, Wish wish) {
        return password(held, wish)
                .map(told -> new Passwords(told, former(notes, wish.now())))
                .orElse(Passwords.NONE);
    }

    /// The password of the namespace's own user. Another user's is none: sidecars of a store without such users share
    /// the operator's.
    private static Optional<String> password(Map<String, String> held, Wish wish) {
        return text(held, StoreFile.USERNAME)
                .filter(user -> user.equals(wish.username()))
                .flatMap(_ -> text(held, StoreFile.PASSWORD));
    }

    private static Passwords passwords(
            Map<String, String> held, Map<String, String> notes, Wish wish, Map<String, String> changes) {
        var told = password(held, wish);
        var former = former(notes, wish.now());
        var asked = notes.get(ROTATE);
        if (told.isPresent() && Objects.equals(asked, notes.get(ROTATED))) {
            return new Passwords(told.get(), former);
        }
        var outdated = told.map(password -> outdated(password, former)).orElseGet(wish.inForce());
        if (asked != null) {
            changes.put(ROTATED, asked);
        }
        changes.put(FORMER, String.join(",", outdated));
        changes.put(SINCE, wish.now().toString());
        return new Passwords(Passwords.random(), outdated);
    }

    private static List<String> former(Map<String, String> notes, Instant now) {
        var digests = notes.getOrDefault(FORMER, "");
        var since = instant(notes.get(SINCE));
        var valid = !digests.isEmpty()
                && since.isPresent()
                && now.isBefore(since.get().plus(FORMER_STAYS_VALID));
        return valid ? List.of(digests.split(",")) : List.of();
    }

    /// Also one that is two changes old, for a sidecar may not have followed the first.
    private static List<String> outdated(String password, List<String> former) {
        return Stream.concat(Stream.of(Passwords.digest(password)), former.stream())
                .limit(2)
                .toList();
    }

    private static Optional<Instant> instant(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(Instant::parse);
        } catch (DateTimeParseException edited) {
            return Optional.empty();
        }
    }

    private static boolean isSameStore(Map<String, String> held, Map<String, String> wanted) {
        return WHICH_STORE.stream()
                .map(StoreFile::fileName)
                .allMatch(file -> Objects.equals(held.get(file), wanted.get(file)));
    }

    private static Optional<String> text(Map<String, String> held, StoreFile file) {
        return Optional.ofNullable(held.get(file.fileName()))
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8).strip())
                .filter(text -> !text.isEmpty());
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
