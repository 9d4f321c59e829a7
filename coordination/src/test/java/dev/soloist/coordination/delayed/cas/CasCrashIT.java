package dev.soloist.coordination.delayed.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process dies after each single command of each call. A death before a command, and one after it whose answer was lost,
 * leave the same on the server. Then somebody repeats the call, or nobody does; sweeps carry every accepted task to its end.
 */
class CasCrashIT {

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    /** More at a time would only wait for each other. */
    private static final Semaphore WORLDS = new Semaphore(16);

    private static RedisLink link;

    @BeforeAll
    static void open() {
        link = PIKA.link();
    }

    @AfterAll
    static void close() {
        link.close();
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whereverAProcessDiesEveryAcceptedTaskComesToItsEndAndNoneIsEarlyOrComesTwice(Step step) throws Exception {
        int commands = commandsOf(step);
        assertThat(commands).isBetween(2, 40);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int n = 0; n <= commands; n++) {
                for (boolean repeated : List.of(true, false)) {
                    int most = n;
                    all.add(threads.submit(limited(() -> dies(step, most, repeated, commands))));
                }
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private static int commandsOf(Step step) {
        var world = new CasWorld(link::callBytes, name(step, "whole"));
        Function<DelayedQueue, Object> call = step.prepare(world);
        Breaking wire = world.dyingAfter(Integer.MAX_VALUE);
        call.apply(world.over(wire));
        return wire.sent();
    }

    private static void dies(Step step, int most, boolean repeated, int commands) {
        String what = step + " dies after " + most + " of " + commands + (repeated ? " and is repeated" : "");
        var world = new CasWorld(link::callBytes, name(step, most + (repeated ? "-again" : "")));
        Function<DelayedQueue, Object> call = step.prepare(world);
        boolean answered = true;
        try {
            call.apply(world.over(world.dyingAfter(most)));
        } catch (Breaking.Died e) {
            answered = false;
        }
        if (repeated) {
            call.apply(world.whole);
            answered = true;
        }
        world.carryOn(what, List.of("a", "b", "c"));

        assertThat(world.deliveries.values()).as(what).allMatch(times -> times == 1);
        for (String id : List.of("a", "b", "c")) {
            String state = world.state(id);
            if (state.equals("DONE") && !cameBefore(step)) {
                assertThat(world.deliveries).as(what).containsKey(id);
            }
        }
        if (answered) {
            switch (step) {
                case CANCEL, CANCEL_DEAD, GIVE_BACK_CANCELLED, CANCEL_HELD ->
                    assertThat(List.of(world.state("a"), world.deliveries.containsKey("a")))
                            .as(what)
                            .isEqualTo(List.of("CANCELLED", false));
                case ACK ->
                    assertThat(List.of(world.state("a"), world.state("b"), world.deliveries.isEmpty()))
                            .as(what)
                            .isEqualTo(List.of("DONE", "DONE", true));
                case GIVE_BACK_DEAD, RESERVE_LAST_ATTEMPT ->
                    assertThat(world.state("a")).as(what).isEqualTo("DEAD");
                default -> assertThat(world.state("a")).as(what).isEqualTo("DONE");
            }
        }
        if (!Set.of(Step.ENQUEUE_NOW, Step.ENQUEUE_LATER).contains(step)) {
            assertThat(world.state("a")).as(what).isNotEqualTo("ABSENT");
        }
    }

    /** Whether the task may have been handled before the survivor came. */
    private static boolean cameBefore(Step step) {
        return step == Step.ACK || step == Step.ENQUEUE_AGAIN;
    }

    private static String name(Step step, String which) {
        return step.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + which;
    }

    private static Callable<Object> limited(Runnable world) {
        return () -> {
            WORLDS.acquire();
            try {
                world.run();
            } finally {
                WORLDS.release();
            }
            return "done";
        };
    }
}
