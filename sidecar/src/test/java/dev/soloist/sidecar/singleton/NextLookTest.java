package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On which the longest recovery depends: a look at the lease's end, whatever other looks there are. */
class NextLookTest {

    /** Also where the clock's numbers go over. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, Long.MAX_VALUE - 50})
    void aLookBeforeTheMomentAskedForDoesNotPutItOff(long start) {
        var look = new NextLook(start);
        look.looked(start, 30);

        assertThat(look.ask(start + 20)).isTrue();
        look.looked(start + 19, 30);
        assertThat(look.left(start + 19)).isEqualTo(1);

        look.looked(start + 20, 30);
        assertThat(look.left(start + 20)).isEqualTo(30);
    }

    @Test
    void theFirstLookIsDueAtOnce() {
        assertThat(new NextLook(7).left(7)).isZero();
    }

    @Test
    void askingForALaterMomentThanPlannedChangesNothingUntilThatLook() {
        var look = new NextLook(0);
        look.looked(0, 30);

        assertThat(look.ask(50)).isFalse();
        assertThat(look.left(0)).isEqualTo(30);

        look.looked(30, 30);
        assertThat(look.left(30)).isEqualTo(20);
    }
}
