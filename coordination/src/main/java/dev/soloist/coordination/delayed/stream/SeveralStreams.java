package dev.soloist.coordination.delayed.stream;

import dev.soloist.coordination.key.InstanceId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks one stream after the other; what is asked of them all is not one moment's view. */
record SeveralStreams(List<TaskStream> parts) implements TaskStream {

    @Override
    public StreamState state() {
        return sum(parts.stream().map(TaskStream::state).toList());
    }

    /** Each is told of its own losses: what all have lost together is no number of any one. */
    @Override
    public StreamState told(long losses) {
        return sum(parts.stream()
                .map(part -> losses == 0 ? part.state() : part.told(part.state().losses()))
                .toList());
    }

    @Override
    public Replay replay(InstanceId instance, ReplayRequest request) {
        var sum = new Replayed(0, 0, 0, false, request.from());
        for (var part : parts) {
            // All up to the same moment: else the later ones would replay what the first have brought about.
            var bounded = sum.until().equals(request.from())
                    ? request
                    : new ReplayRequest(request.from(), sum.until(), request.requestKey());
            if (!(part.replay(instance, bounded) instanceof Replayed one)) {
                return new Replay.Fenced();
            }
            sum = new Replayed(
                    sum.tasks() + one.tasks(),
                    sum.alive() + one.alive(),
                    sum.repeated() + one.repeated(),
                    sum.full() || one.full(),
                    one.until());
        }
        return sum;
    }

    private static StreamState sum(List<StreamState> states) {
        return new StreamState(
                states.stream().mapToLong(StreamState::entries).sum(),
                // What can be replayed whole is what all of them have kept.
                any(
                        states,
                        StreamState::keptSince,
                        Comparator.<Instant>naturalOrder().reversed()),
                states.stream().mapToLong(StreamState::pending).sum(),
                states.stream().mapToInt(StreamState::consumers).max().orElse(0),
                states.stream().mapToLong(StreamState::losses).sum(),
                any(
                        states,
                        StreamState::lastLoss,
                        Comparator.<Instant>naturalOrder().reversed()),
                states.stream().mapToLong(StreamState::told).sum());
    }

    private static @Nullable Instant any(
            List<StreamState> states, Function<StreamState, @Nullable Instant> of, Comparator<Instant> order) {
        return states.stream().map(of).filter(Objects::nonNull).min(order).orElse(null);
    }
}
