package dev.soloist.coordination.storm;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.event.EventCursor;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.JobEvent;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.history.Checker;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.ScriptNames;
import dev.soloist.coordination.history.ServerAccount;
import dev.soloist.coordination.history.ServerMonitor;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptEngine;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.singleton.SingletonStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One round: faults for a while, then calm until all is done, and the history of both. Used once, by one thread. */
final class Storm {

    private static final Duration SHORTEST = Duration.ofMillis(500);
    /** However slow the machine is: what is counted afterwards comes by steps, not by time. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int STEPS = 2500;
    private static final Duration SLICE = Duration.ofMillis(40);
    /** As long as a machine that is busy with other things may take; a round is over as soon as all is done. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    /** Of scripts that are broken on purpose: nobody waits for what is lost. */
    private static final Duration BRIEF_RECOVERY = Duration.ofSeconds(3);

    private static final Duration LATE = Duration.ofSeconds(1);
    private static final int HOLDERS = 5;
    private static final int PODS = 4;
    /** Short, so that it is trimmed all the time. */
    private static final Transport STREAM = new Transport.Stream(Duration.ofHours(1), 5);

    /** What it is about; with half of it the other half happens twice as often. */
    enum Part {
        ALL,
        SINGLETONS,
        QUEUE,
        /** The queue with deduplication and a rate limit, and by an even seed with tasks that come at most once. */
        RULED_QUEUE,
        /**
         * The queue by stream; by an odd seed with some calls by list beside it, and a stream or group that is removed now and
         * then.
         */
        STREAM,
        /** Over several shards, whose number changes all the time, and by an even seed what has ended is soon forgotten. */
        SHARDED_QUEUE
    }

    private final Part part;
    private final RedisLink link;
    private final int port;
    private final List<UnaryOperator<LuaScript>> versions;
    private final RedisKeys keys = new RedisKeys(new Install("storm"));
    private final History history = new History();
    private final FaultyEngine engine;
    private final World world;
    private final DelayedQueue queue;
    private final Sharding shards;
    private final List<Actor> actors = new ArrayList<>();
    private final Set<Layout> layouts = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private final boolean byStreamOnly;
    private long steps;
    private boolean isCalm;

    /**
     * A storm over an empty server.
     *
     * @param change what is done to each script before it is carried out
     */
    Storm(RedisLink link, int port, long seed, Part part, UnaryOperator<LuaScript> change) {
        this(link, port, seed, part, List.of(change));
    }

    /**
     * A storm in which several versions of the scripts work side by side.
     *
     * @param versions of which each call takes one, by chance
     */
    Storm(RedisLink link, int port, long seed, Part part, List<UnaryOperator<LuaScript>> versions) {
        this.part = part;
        this.link = link;
        this.port = port;
        this.versions = List.copyOf(versions);
        var dice = new Random(seed);
        var choice = new Random(~seed);
        ScriptEngine server = (script, names, arguments) -> {
            LuaScript changed = versions.get(choice.nextInt(versions.size())).apply(script);
            if (script.name().endsWith("/delayed/stream/claim.lua")) {
                // What is too young there to be worth a look is old in a storm.
                arguments[1] = "5".getBytes(StandardCharsets.UTF_8);
            }
            return link.eval(changed.sha(), changed.text(), names, arguments);
        };
        this.engine = new FaultyEngine(server, dice);
        var scripts = new ScriptRunner(engine);
        var mails = new JobId("shop", "mails");
        this.byStreamOnly = part == Part.STREAM && seed % 2 == 0;
        Supplier<QueueLimits> limits = () -> QueueLimits.DEFAULT.withTransport(
                part == Part.STREAM && (isCalm || byStreamOnly || choice.nextInt(10) > 0) ? STREAM : Transport.LIST);
        this.queue = DelayedQueue.of(new ScriptRunner(server), keys, mails);
        boolean brief = part == Part.SHARDED_QUEUE && seed % 2 == 0;
        this.shards = new Sharding(new ScriptRunner(server), keys, mails, brief);
        this.world = new World(
                new SingletonStore(scripts, keys).logging(1_000_000),
                DelayedQueue.of(scripts, keys, mails, limits),
                new Instances(scripts, keys, mails),
                dice,
                history,
                link);
        if (part == Part.RULED_QUEUE) {
            world.rules = new World.Rules(
                    dice.nextBoolean() ? ReleaseOn.SUCCESS : ReleaseOn.TERMINAL,
                    new RateLimit(3 + dice.nextInt(6), Duration.ofMillis(10 + dice.nextInt(20))),
                    seed % 2 == 0);
        }
        if (part == Part.ALL || part == Part.SINGLETONS) {
            singletons();
        }
        if (part == Part.SHARDED_QUEUE) {
            shards(new Sharding(scripts, keys, mails, brief));
        } else if (part != Part.SINGLETONS) {
            queue();
        }
    }

    private void singletons() {
        for (int i = 0; i < HOLDERS; i++) {
            actors.add(new Holder(world, "holder-" + i));
        }
        actors.add(new Watchdog(world));
        var operator = new Operator(world, () -> link.call("SCRIPT", "FLUSH"));
        actors.addAll(List.of(operator, operator)); // at the turn twice as often
        actors.add(new Undertaker(world));
        actors.add(() -> lockByHand(world.jobs.get(world.dice.nextInt(world.jobs.size()))));
        var inspector = new Inspector(link, keys);
        actors.add(() -> {
            JobId job = world.jobs.get(world.dice.nextInt(world.jobs.size()));
            history.add(inspector.look(job, world.micros()));
        });
    }

    private void queue() {
        for (int i = 0; i < PODS; i++) {
            actors.add(new QueuePod(world, "pod-" + i));
        }
        actors.add(new Reclaimer(world));
        if (part == Part.STREAM) {
            actors.add(this::removeStream);
            var look = new StreamLook(link, keys, byStreamOnly);
            actors.add(() -> look.look(world.mails).forEach(bad -> failures.add("the stream of the tasks: " + bad)));
        }
    }

    /** Of each job the ends of runs that the server was seen to write. */
    Map<String, Long> ends() {
        return history.events().stream()
                .filter(Event.RunOver.class::isInstance)
                .collect(Collectors.groupingBy(over -> ((Event.RunOver) over).job(), Collectors.counting()));
    }

    /** Of each job the fences of the runs in its log, in order. */
    Map<String, List<String>> logged() {
        var fences = new TreeMap<String, List<String>>();
        for (JobId job : world.jobs) {
            var log = new JobLog(new EventLog(new ScriptRunner(link), keys.log(job)));
            var page = (JobEvents.Page) log.after(EventCursor.START, EventLog.PAGE);
            for (; !page.events().isEmpty(); page = (JobEvents.Page) log.after(page.next(), EventLog.PAGE)) {
                for (JobEvent event : page.events()) {
                    if (event.event() instanceof LoggedEvent.RunEnded(var _, var run)) {
                        fences.computeIfAbsent(job.toString(), any -> new ArrayList<>())
                                .add(run.fence().toString());
                    }
                }
            }
        }
        return fences;
    }

    private void removeStream() {
        if (byStreamOnly) {
            return;
        }
        if (!isCalm && world.strikes(10)) {
            link.call("DEL", keys.taskStream(world.mails));
        } else if (!isCalm
                && world.strikes(10)
                && link.call("EXISTS", keys.taskStream(world.mails)).contains(1L)) {
            link.call("XGROUP", "DESTROY", keys.taskStream(world.mails), "soloist");
        }
    }

    private void shards(Sharding faulty) {
        // The first of all looks for what a lost layout may have left behind: too many calls for faults like these.
        shards.layouts.arrange(shards.definition());
        if (shards.isBrief()) {
            history.add(new Event.Remembered(world.micros(), world.mails.toString(), Sharding.MEMORY.toMillis()));
        }
        for (int i = 0; i < PODS; i++) {
            var pod = new ShardPod(world, faulty, "pod-" + i);
            actors.addAll(List.of(pod, pod)); // each shard is to have its turn
        }
        var resharder = new Resharder(world, faulty);
        actors.addAll(List.of(resharder, resharder));
        actors.add(() -> layouts.add(shards.layouts.read(world.mails)));
    }

    /** Layouts that were seen. */
    Set<Layout> layouts() {
        return Set.copyOf(layouts);
    }

    /** Somebody sets a lock where none is, as only a hand does: nobody may be given the lease beside it. */
    private void lockByHand(JobId job) {
        long now = world.micros();
        boolean set = world.strikes(30)
                && link.call(
                                "EVAL",
                                "return redis.call('SET', KEYS[1], 'somebody|else|1', 'NX', 'PX', '20') and 1 or 0",
                                "1",
                                keys.lock(job))
                        .contains(1L);
        if (set) {
            history.add(new Event.LockedByHand(now, job.toString(), now / 1000 + 18, world.micros() / 1000 + 21));
        }
    }

    /** Storms for a while, and returns what was against the rules; what the faults alone have shown is told without waiting on. */
    List<String> run() {
        var markers = new LinkedBlockingQueue<String>();
        var account = new ServerAccount(new ScriptNames(versions), history, markers::add);
        try (var _ = new ServerMonitor(port, account)) {
            long begun = System.nanoTime();
            turns(() -> {
                long took = System.nanoTime() - begun;
                return took < SHORTEST.toNanos() || (steps < mostSteps() && took < LONGEST.toNanos());
            });
            List<String> violations = check(markers);
            if (violations.isEmpty()) {
                recover();
                violations = check(markers);
            }
            return violations;
        } catch (ScriptFailed e) {
            return List.of("a script failed: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With several shards each has to have its turn, and each change of their number takes many. */
    private int mostSteps() {
        return part == Part.SHARDED_QUEUE ? 4 * STEPS : STEPS;
    }

    private List<String> check(BlockingQueue<String> markers) throws InterruptedException {
        link.call("ECHO", "now");
        if (markers.poll(60, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("the server's monitor is silent");
        }
        return Stream.concat(failures.stream(), Checker.violations(history.events()).stream())
                .toList();
    }

    private void recover() {
        engine.calm();
        world.calm();
        isCalm = true;
        long calm = world.micros();
        history.add(new Event.Calm(calm));
        var patience = versions.stream().anyMatch(Mutant.class::isInstance) ? BRIEF_RECOVERY : RECOVERY;
        long end = System.nanoTime() + patience.toNanos();
        do {
            long slice = System.nanoTime() + SLICE.toNanos();
            turns(() -> System.nanoTime() - slice < 0);
        } while (System.nanoTime() - end < 0 && !isOver(calm));
        found();
    }

    private void turns(BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            steps++;
            try {
                engine.deliverLate();
                actors.get(world.dice.nextInt(actors.size())).step();
            } catch (NoAnswer e) {
                // It acts on that at its next turn.
            } catch (ScriptFailed e) {
                failures.add("a script failed: " + e.getMessage());
            }
        }
    }

    private boolean isOver(long calm) {
        boolean drained = shards.all().stream()
                .allMatch(of ->
                        link.call("HLEN", of.tasks(world.mails)).equals(link.call("ZCARD", of.dead(world.mails))));
        var again = history.events().stream()
                .filter(event -> event instanceof Event.Granted granted && granted.at() > calm)
                .map(event -> ((Event.Granted) event).job())
                .distinct()
                .count();
        return drained && again == jobs().size();
    }

    private List<String> jobs() {
        return part == Part.ALL || part == Part.SINGLETONS
                ? world.jobs.stream().map(JobId::toString).toList()
                : List.of();
    }

    private void found() {
        for (String id : world.tasks) {
            var view = part == Part.SHARDED_QUEUE ? shards.find(id) : queue.inspect(TaskId.of(id));
            String state = view.map(TaskView::state).map(Enum::name).orElse("ABSENT");
            history.add(new Event.Found(world.micros(), world.mails.toString(), id, state));
        }
        // What was due a good while ago is late; what was begun shortly before the end is not.
        history.add(new Event.End(world.micros(), jobs(), LATE.toMillis()));
    }

    /** Waits until nothing is pending that nobody holds, and tells how often the stream was lost. */
    long lossesOfTheSettledStream() {
        var settled =
                DelayedQueue.of(new ScriptRunner(link), keys, world.mails, QueueLimits.DEFAULT.withTransport(STREAM));
        var sweep = new SweepRequest(100, new Backoff(Duration.ofSeconds(1), 1, Duration.ofSeconds(1)), 100);
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            settled.sweepToShared(sweep);
            return settled.stream().orElseThrow().state().pending()
                    == settled.counts(List.of()).inFlight();
        });
        return settled.stream().orElseThrow().state().losses();
    }

    History history() {
        return history;
    }

    long steps() {
        return steps;
    }
}
