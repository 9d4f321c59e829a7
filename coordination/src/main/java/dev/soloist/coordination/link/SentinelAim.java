package dev.soloist.coordination.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Aims at the primary that most Sentinels name. All of them are asked at once, so that neither one that is down nor one
 * that is cut off from the others decides. Thread-safe.
 */
final class SentinelAim implements Aim {

    /** With one Sentinel, from dialling it to its answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** After the first answer, for the others. */
    private static final Duration FOR_THE_OTHERS = Duration.ofMillis(300);

    private final Topology.Sentinel sentinels;
    private final Dialer dialer;
    private volatile @Nullable HostAndPort unfit;

    SentinelAim(Topology.Sentinel sentinels, Dialer dialer) {
        this.sentinels = sentinels;
        this.dialer = dialer;
    }

    private record Opinion(
            @Nullable HostAndPort primary, @Nullable RuntimeException failure) {}

    @Override
    public HostAndPort server() {
        Map<HostAndPort, Integer> votes = votes();
        HostAndPort last = unfit;
        // The one that turned out to be no primary is dialled again only if nobody names another.
        HostAndPort chosen = best(votes, last);
        return chosen == null ? last(votes) : chosen;
    }

    @Override
    public void verify(Courier courier) {
        List<Object> role = courier.send(Request.of("ROLE"), false);
        String name = role.isEmpty() ? "" : Replies.text(role.getFirst());
        if (!name.equals("master")) {
            unfit = courier.server();
            throw new WrongServer("the server at " + courier.server() + " is no primary but a " + name);
        }
        unfit = null;
    }

    @Override
    public List<HostAndPort> deputies(Courier courier) {
        List<Object> role = courier.send(Request.of("ROLE"), false);
        if (role.size() < 3 || !(role.get(2) instanceof List<?> replicas)) {
            return List.of();
        }
        var found = new ArrayList<HostAndPort>();
        for (Object replica : replicas) {
            if (replica instanceof List<?> fields && fields.size() >= 2) {
                found.add(new HostAndPort(Replies.text(fields.get(0)), (int) Replies.number(fields.get(1))));
            }
        }
        return found;
    }

    private Map<HostAndPort, Integer> votes() {
        BlockingQueue<Opinion> opinions = new LinkedBlockingQueue<>();
        for (HostAndPort sentinel : sentinels.servers()) {
            Thread.ofVirtual().name("redis-sentinel").start(() -> opinions.add(ask(sentinel)));
        }
        var votes = new HashMap<HostAndPort, Integer>();
        RuntimeException failure = null;
        long end = System.nanoTime() + PATIENCE.multipliedBy(4).toNanos();
        try {
            for (int i = 0; i < sentinels.servers().size(); i++) {
                Opinion opinion = opinions.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (opinion == null) {
                    break;
                }
                if (opinion.primary != null) {
                    votes.merge(opinion.primary, 1, Integer::sum);
                    end = Math.min(end, System.nanoTime() + FOR_THE_OTHERS.toNanos());
                } else {
                    failure = opinion.failure;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (votes.isEmpty()) {
            throw failure == null ? new WrongServer("no Sentinel of " + sentinels.address() + " answers") : failure;
        }
        return votes;
    }

    private Opinion ask(HostAndPort sentinel) {
        try {
            List<Object> reply = Briefly.with(
                    dialer,
                    sentinel,
                    sentinels.credentials(),
                    PATIENCE,
                    courier ->
                            courier.send(Request.of("SENTINEL", "get-master-addr-by-name", sentinels.name()), false));
            if (reply.size() < 2) {
                return new Opinion(
                        null,
                        new WrongServer(
                                "the Sentinel at " + sentinel + " watches no primary of the name " + sentinels.name()));
            }
            return new Opinion(new HostAndPort(Replies.text(reply.get(0)), (int) Replies.number(reply.get(1))), null);
        } catch (RuntimeException e) {
            return new Opinion(null, e);
        }
    }

    private static @Nullable HostAndPort best(Map<HostAndPort, Integer> votes, @Nullable HostAndPort except) {
        return votes.entrySet().stream()
                .filter(vote -> !vote.getKey().equals(except))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static HostAndPort last(Map<HostAndPort, Integer> votes) {
        return votes.keySet().iterator().next();
    }
}
