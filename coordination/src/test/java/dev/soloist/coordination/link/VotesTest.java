package dev.soloist.coordination.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VotesTest {

    private static final Slots OLD = slots("a", "b", "c");
    private static final Slots NEW = slots("a2", "b", "c");

    @Test
    void aNodeThatIsCutOffIsOutvotedThoughItIsAskedFirst() {
        var votes = new Votes(3);
        votes.add(node("a"), OLD);
        votes.add(node("b"), NEW);
        assertThat(votes.isDecided()).isFalse();
        votes.add(node("c"), slots("a2", "b", "c"));

        assertThat(votes.isDecided()).isTrue();
        assertThat(votes.winner()).isSameAs(NEW);
    }

    @Test
    void whereMostAgreeTheOthersNeedNotBeAsked() {
        var votes = new Votes(3);
        votes.add(node("b"), NEW);
        votes.add(node("c"), slots("a2", "b", "c"));

        assertThat(votes.isDecided()).isTrue();
    }

    @Test
    void ofEquallyManyThoseCountWhoAreStillPartOfIt() {
        var former = slots("x", "y", "b", "c");
        var votes = new Votes(4);
        votes.add(node("x"), former);
        votes.add(node("y"), slots("x", "y", "b", "c"));
        var now = slots("b", "c");
        votes.add(node("b"), now);
        votes.add(node("c"), slots("b", "c"));

        assertThat(votes.isDecided()).isFalse();
        assertThat(votes.winner()).isSameAs(now);
    }

    @Test
    void ofTwoOfWhomEachTellsAnotherTheOneThatWasAskedFirstIsBelieved() {
        var votes = new Votes(2);
        votes.add(node("b"), NEW);
        votes.add(node("a"), OLD);

        assertThat(votes.winner()).isSameAs(NEW);
    }

    @Test
    void aNodeThatKnowsOfNoSlotsHasNoVote() {
        var votes = new Votes(2);
        votes.add(node("x"), Slots.NONE);
        assertThat(votes.winner()).isNull();
        votes.add(node("b"), NEW);

        assertThat(votes.winner()).isSameAs(NEW);
    }

    @Test
    void oneSlotThatIsServedByAnotherIsAnotherView() {
        assertThat(NEW.servesAlike(slots("a2", "b", "c"))).isTrue();
        assertThat(NEW.servesAlike(slots("a2", "c", "b"))).isFalse();
        assertThat(NEW.servesAlike(OLD)).isFalse();
    }

    private static HostAndPort node(String host) {
        return new HostAndPort(host, 1);
    }

    /** A hundred slots of each, as CLUSTER SLOTS tells it. */
    private static Slots slots(String... hosts) {
        List<Object> reply = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            reply.add(List.of(100L * i, 100L * i + 99, List.of(hosts[i].getBytes(StandardCharsets.UTF_8), 1L)));
        }
        return Slots.read(reply, node("asked"));
    }
}
