package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which password is told, which ones are valid, and when sidecars are sent to another store. */
class SecretContentTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Map<String, String> HERE = Map.of("address", "redis:6379", "ca.crt", "PEM");

    private static SecretContent.Wish wish(Map<String, String> shared, Instant now, boolean mayMove) {
        return new SecretContent.Wish(shared, "soloist:main:shop", now, () -> mayMove, () -> List.of("in-force"));
    }

    private static Secret kept(SecretContent content, Map<String, String> more) {
        return new SecretBuilder()
                .withNewMetadata()
                .addToAnnotations(content.annotations())
                .addToAnnotations(more)
                .endMetadata()
                .withData(content.data())
                .build();
    }

    private static SecretContent first() {
        return SecretContent.of(null, wish(HERE, NOW, true));
    }

    private static String text(SecretContent content, String file) {
        return new String(Base64.getDecoder().decode(content.data().get(file)), StandardCharsets.UTF_8);
    }

    @Test
    void aNewSecretTellsEverythingAndKeepsWhatRedisAcceptsValid() {
        var content = first();
        assertThat(content.data()).containsOnlyKeys("address", "ca.crt", "username", "password");
        assertThat(text(content, "password")).isEqualTo(content.passwords().current());
        assertThat(content.passwords().former()).containsExactly("in-force");
    }

    @Test
    void aSecretThatIsAsItShouldBeIsLeftAlone() {
        var before = first();
        var after = SecretContent.of(kept(before, Map.of()), wish(HERE, NOW.plusSeconds(60), false));

        assertThat(after.data()).isEqualTo(before.data());
        assertThat(after.annotations()).isEmpty();
        assertThat(after.passwords()).isEqualTo(before.passwords());
    }

    @Test
    void f11_anAnnotationAsksForANewPasswordOnceAndTheOldStaysValidForAWhile() {
        var before = first();
        var asked = kept(before, Map.of(SecretContent.ROTATE, "please"));
        var rotated = SecretContent.of(asked, wish(HERE, NOW, false));

        assertThat(rotated.passwords().current())
                .isNotEqualTo(before.passwords().current());
        assertThat(rotated.passwords().former())
                .startsWith(Passwords.digest(before.passwords().current()));
        var told = kept(rotated, Map.of(SecretContent.ROTATE, "please"));
        var late = NOW.plus(SecretContent.FORMER_STAYS_VALID);
        assertThat(SecretContent.of(told, wish(HERE, late.minusSeconds(1), false))
                        .passwords())
                .isEqualTo(rotated.passwords());
        assertThat(SecretContent.of(told, wish(HERE, late, false)).passwords())
                .isEqualTo(new Passwords(rotated.passwords().current(), List.of()));
    }

    @Test
    void changesOfTheOperatorsFilesAreFollowedAndWhatIsGoneIsTakenAway() {
        var changed = SecretContent.of(
                kept(first(), Map.of()), wish(Map.of("address", "redis:6379", "tls", "true"), NOW, false));

        assertThat(changed.complete()).isTrue();
        assertThat(changed.data()).containsOnlyKeys("address", "tls", "username", "password");
    }

    @Test
    void anotherStoreIsToldOnlyWhenAllJobsAreInForceThere() {
        var there = Map.of("address", "elsewhere:6379");
        var waiting = SecretContent.of(kept(first(), Map.of()), wish(there, NOW, false));
        assertThat(waiting.complete()).isFalse();
        assertThat(text(waiting, "address")).isEqualTo("redis:6379");

        var moved = SecretContent.of(kept(first(), Map.of()), wish(there, NOW, true));
        assertThat(moved.complete()).isTrue();
        assertThat(text(moved, "address")).isEqualTo("elsewhere:6379");
    }

    @Test
    void whoDeletesTheSecretDuringAMoveSendsNobodyToAnotherStore() {
        var there = Map.of("address", "elsewhere:6379");
        var deleted = SecretContent.of(null, wish(there, NOW, false));
        assertThat(deleted.complete()).isFalse();
        assertThat(deleted.data()).isEmpty();
        assertThat(deleted.passwords()).isEqualTo(Passwords.NONE);

        var noAddress = new SecretBuilder(kept(first(), Map.of()))
                .removeFromData("address")
                .build();
        var edited = SecretContent.of(noAddress, wish(there, NOW, false));
        assertThat(edited.complete()).isFalse();
        assertThat(edited.data()).isEqualTo(noAddress.getData());

        var after = SecretContent.of(null, wish(there, NOW, true));
        assertThat(after.complete()).isTrue();
        assertThat(text(after, "address")).isEqualTo("elsewhere:6379");
    }

    @Test
    void whileSidecarsStayOnTheFormerStoreTheyKeepTheUserAndPasswordThatItKnows() {
        var there = Map.of("address", "elsewhere:6379");
        var asked = kept(first(), Map.of(SecretContent.ROTATE, "please"));
        var waiting = SecretContent.of(asked, wish(there, NOW, false));
        assertThat(waiting.data()).isEqualTo(asked.getData());
        assertThat(waiting.annotations()).isEmpty();
        assertThat(waiting.passwords().current()).isEqualTo(text(waiting, "password"));

        var moved = SecretContent.of(asked, wish(there, NOW, true));
        assertThat(moved.annotations()).containsEntry("soloist.dev/rotated-password", "please");
        assertThat(moved.passwords().former())
                .contains(Passwords.digest(waiting.passwords().current()));
    }

    @Test
    void sidecarsLeaveTheOperatorsUserBehindOnlyWhenTheyAreSentToAStoreWithUsersOfTheirOwn() {
        var shared = Map.of("address", "pika:9221", "username", "operator", "password", "everybody");
        var before = SecretContent.of(
                null, new SecretContent.Wish(shared, null, NOW, () -> true, () -> List.of("in-force")));
        assertThat(before.passwords()).isEqualTo(Passwords.NONE);

        var waiting = SecretContent.of(kept(before, Map.of()), wish(HERE, NOW, false));
        assertThat(waiting.data()).isEqualTo(before.data());
        assertThat(waiting.passwords()).isEqualTo(Passwords.NONE);

        var moved = SecretContent.of(kept(before, Map.of()), wish(HERE, NOW, true));
        assertThat(text(moved, "username")).isEqualTo("soloist:main:shop");
        assertThat(text(moved, "password")).isNotEqualTo("everybody");
    }

    @Test
    void anEditedSecretIsMadeWholeAgain() {
        var emptied = new SecretBuilder()
                .withNewMetadata()
                .addToAnnotations("soloist.dev/password-since", "yesterday")
                .endMetadata()
                .build();

        var mended = SecretContent.of(emptied, wish(HERE, NOW, true));
        assertThat(mended.data()).containsKeys("address", "username", "password");
        assertThat(mended.passwords().former()).containsExactly("in-force");
    }
}
