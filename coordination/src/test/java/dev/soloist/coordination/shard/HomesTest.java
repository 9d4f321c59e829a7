package dev.soloist.coordination.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.TaskId;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HomesTest {

    private static final int IDS = 20_000;

    /** What is stored lies where this says: it may never change. */
    @ParameterizedTest
    @CsvSource({"a, 3, 1", "mail-1, 3, 2", "mail-2, 3, 2", "mail-1, 64, 35", "ünï, 8, 4"})
    void theHomeOfAnIdIsPartOfTheFormat(String id, int count, int home) {
        assertThat(Homes.of(TaskId.of(id), count)).isEqualTo(home);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8, 12, 64})
    void idsThatDifferLittleAreSpreadEvenly(int count) {
        var sizes = new int[count];
        IntStream.range(0, IDS).forEach(i -> sizes[Homes.of(TaskId.of("mail-" + i), count)]++);
        int fair = IDS / count;
        assertThat(IntStream.of(sizes).boxed().toList())
                .allSatisfy(size -> assertThat(size).isBetween(fair * 3 / 4, fair * 5 / 4));
    }

    @Test
    void oneMoreShardTakesItsShareAndMovesNothingElse() {
        int moved = 0;
        for (int i = 0; i < IDS; i++) {
            var id = TaskId.of("mail-" + i);
            int now = Homes.of(id, 4);
            if (Homes.of(id, 3) != now) {
                assertThat(now).isEqualTo(3);
                moved++;
            }
        }
        assertThat(moved).isBetween(IDS / 5, IDS * 3 / 10);
    }

    @Test
    void withOneShardThereIsNothingToChoose() {
        assertThat(Homes.of(TaskId.of("any"), 1)).isZero();
    }
}
