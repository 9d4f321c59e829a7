package dev.soloist.coordination.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.testkit.CasMode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The board on a server without scripts, where all of a namespace's entries are one string. */
@CasMode
class CasRegistrationsIT extends RegistrationsIT {

    private static final String WHOLE = "soloist:main:{shop}:cas";

    /** 300 bytes a pod with two jobs: a few hundred pods are fine, and what is too large is said and not cut. */
    @Test
    void aBoardHasABoundThatIsSaid() {
        int bytes = 0;
        int pods = 0;
        while (bytes < 40_000) {
            board.assign(
                    SHOP,
                    UUID.randomUUID().toString(),
                    new Assignment("shop-frontend-7d4b9c6f5d-x" + pods, true, Set.of("nightly-report", "send-mails")));
            bytes = ((byte[]) link.call("GET", WHOLE).getFirst()).length;
            pods++;
        }
        assertThat(bytes / pods).isBetween(100, 300);

        String large = "x".repeat(1 << 20);
        assertThatThrownBy(() -> board.assign(SHOP, "pod", new Assignment(large, true, Set.of())))
                .isInstanceOf(ScriptFailed.class)
                .hasMessageContaining("1048576 at most");
        assertThat(board.assignments(SHOP)).hasSize(pods);
    }

    @Test
    void aStringOfAnotherFormatIsLeftAsItIs() {
        link.call("SET", WHOLE, "{\"cas\":2}");

        assertThatThrownBy(() -> board.publish(job("nightly", 1))).isInstanceOf(ScriptFailed.class);

        assertThat(new String((byte[]) link.call("GET", WHOLE).getFirst(), StandardCharsets.UTF_8))
                .isEqualTo("{\"cas\":2}");
    }
}
