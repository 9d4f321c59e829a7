package dev.soloist.sidecar.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.broadcast.Broadcast;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.sidecar.broadcast.Mailbox.Offer;
import org.junit.jupiter.api.Test;

class MailboxTest {

    private final Mailbox mailbox = new Mailbox();

    private static Broadcast broadcast(String id, int bytes) {
        return new Broadcast(id, Payload.of(new byte[bytes], "text/plain"));
    }

    @Test
    void whatIsOfferedIsTakenInOrderAndOnce() throws InterruptedException {
        assertThat(mailbox.offer(broadcast("a", 1))).isEqualTo(Offer.TAKEN);
        assertThat(mailbox.offer(broadcast("b", 1))).isEqualTo(Offer.TAKEN);
        assertThat(mailbox.offer(broadcast("a", 1))).isEqualTo(Offer.REPEATED);

        assertThat(mailbox.take()).map(Broadcast::id).contains("a");
        assertThat(mailbox.offer(broadcast("a", 1))).isEqualTo(Offer.REPEATED);
        assertThat(mailbox.take()).map(Broadcast::id).contains("b");
    }

    @Test
    void itHoldsNoMoreThanItMayAndTakesAgainWhenThereIsRoom() throws InterruptedException {
        for (int i = 0; i < Mailbox.MOST; i++) {
            assertThat(mailbox.offer(broadcast("m" + i, 1))).isEqualTo(Offer.TAKEN);
        }
        assertThat(mailbox.offer(broadcast("one more", 1))).isEqualTo(Offer.DROPPED);
        mailbox.take();
        assertThat(mailbox.offer(broadcast("now", 1))).isEqualTo(Offer.TAKEN);
    }

    @Test
    void itHoldsNoMoreBytesThanItMay() {
        int fit = (int) (Mailbox.MOST_BYTES / Broadcast.MAX_PAYLOAD);
        for (int i = 0; i < fit; i++) {
            assertThat(mailbox.offer(broadcast("m" + i, Broadcast.MAX_PAYLOAD))).isEqualTo(Offer.TAKEN);
        }
        assertThat(mailbox.offer(broadcast("one more", 1))).isEqualTo(Offer.DROPPED);
    }

    @Test
    void theMemoryOfIdsIsBounded() throws InterruptedException {
        mailbox.offer(broadcast("first", 1));
        for (int i = 0; i < 2000; i++) {
            mailbox.take();
            mailbox.offer(broadcast("m" + i, 1));
        }
        mailbox.take();
        assertThat(mailbox.offer(broadcast("m1999", 1))).isEqualTo(Offer.REPEATED);
        assertThat(mailbox.offer(broadcast("first", 1))).isEqualTo(Offer.TAKEN);
    }

    @Test
    void closingForgetsWhatWaitsAndEndsTheWait() throws InterruptedException {
        mailbox.offer(broadcast("a", 1));

        assertThat(mailbox.close()).isOne();
        assertThat(mailbox.take()).isEmpty();
        assertThat(mailbox.offer(broadcast("b", 1))).isEqualTo(Offer.DROPPED);
    }
}
