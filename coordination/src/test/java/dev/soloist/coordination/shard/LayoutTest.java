package dev.soloist.coordination.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.shard.Layout.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {

    @Test
    void whatIsWrittenIsRead() {
        var layout = new Layout(7, Phase.CLOSED, "uid-1", 12, 5, List.of(2, 3), 8);

        assertThat(layout.text()).isEqualTo("7|CLOSED|uid-1|12|5|2,3|8");
        assertThat(Layout.parse(layout.text())).isEqualTo(layout);
        assertThat(Layout.parse(layout.drained().text())).isEqualTo(layout.drained());
        assertThat(Layout.parse(Layout.SINGLE.text())).isEqualTo(Layout.SINGLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1|OPEN", "x|OPEN|u|1|3||3", "1|AJAR|u|1|3||3"})
    void whatIsNoLayoutIsNotTakenForOne(String text) {
        assertThatThrownBy(() -> Layout.parse(text)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whoAsksForMoreLeavesTheFormerCountBehind() {
        var three = Layout.SINGLE.changedFor(Jobs.sharded(3, 1), 1);

        assertThat(three).isEqualTo(new Layout(1, Phase.CLOSED, "uid", 1, 3, List.of(1), 3));
        assertThat(three.opened().changedFor(Jobs.sharded(2, 2), 1))
                .isEqualTo(new Layout(2, Phase.CLOSED, "uid", 2, 2, List.of(1, 3), 3));
        assertThat(three.opened().changedFor(Jobs.sharded(1, 2), 1))
                .isEqualTo(new Layout(2, Phase.CLOSED, "uid", 2, 1, List.of(3), 3));
    }

    @Test
    void onlyADefinitionThatIsNewerChangesIt() {
        var layout = new Layout(3, Phase.OPEN, "uid", 5, 3, List.of(), 3);

        assertThat(layout.isOutdatedBy(Jobs.sharded(4, 4))).isFalse();
        assertThat(layout.isOutdatedBy(Jobs.sharded(4, 5))).isFalse();
        assertThat(layout.isOutdatedBy(Jobs.sharded(3, 6))).isFalse();
        assertThat(layout.isOutdatedBy(Jobs.sharded(4, 6))).isTrue();
        assertThat(layout.isOutdatedBy(Jobs.sharded(4, 1, "made anew"))).isTrue();
    }

    @Test
    void anIdIsLookedForWhereverItMayHaveBeenPut() {
        var layout = new Layout(3, Phase.OPEN, "uid", 5, 5, List.of(1, 3), 5);
        for (int i = 0; i < 100; i++) {
            var id = TaskId.of("t" + i);
            assertThat(layout.homes(id)).doesNotHaveDuplicates().contains(0, Homes.of(id, 3), Homes.of(id, 5));
            assertThat(layout.homes(id).getFirst()).isEqualTo(Homes.of(id, 5));
        }
        assertThat(layout.active()).isEqualTo(5);
        assertThat(layout.drained().homes(TaskId.of("t"))).hasSize(1);
    }

    @Test
    void aLayoutThatWasLostIsGuessedFromWhatWasFound() {
        var layout = Layout.SINGLE.changedFor(Jobs.sharded(4, 1), 6);

        assertThat(layout.former()).containsExactly(1, 2, 3, 5, 6);
        assertThat(layout.span()).isEqualTo(6);
    }

    @Test
    void limitsAreSharedOut() {
        var layout = new Layout(1, Phase.OPEN, "uid", 1, 3, List.of(), 3);

        assertThat(layout.partOf(QueueLimits.DEFAULT.withDepth(10)).maxDepth()).isEqualTo(4);
        assertThat(Layout.SINGLE.partOf(QueueLimits.DEFAULT)).isSameAs(QueueLimits.DEFAULT);
    }
}
