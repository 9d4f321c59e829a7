package dev.soloist.coordination.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FenceTest {

    @Test
    void theOrderAsTextIsTheOrderAsNumbers() {
        assertThat(Stream.of(
                                new Fence(2, 1),
                                new Fence(1, 1_785_000_000_000_000L),
                                new Fence(10, 0),
                                new Fence(1, 9),
                                new Fence(9_999_999_999L, 9_999_999_999_999_999L))
                        .sorted()
                        .map(Fence::toString))
                .isSorted()
                .first()
                .isEqualTo("0000000001-0000000000000009");
    }

    @Test
    void whatItWritesItReads() {
        Fence fence = new Fence(3, 1_785_000_000_000_000L);

        assertThat(Fence.parse(fence.toString())).isEqualTo(fence);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> new Fence(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fence(10_000_000_000L, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fence(0, 10_000_000_000_000_000L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fence.parse("12")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fence.parse("1-x")).isInstanceOf(IllegalArgumentException.class);
    }
}
