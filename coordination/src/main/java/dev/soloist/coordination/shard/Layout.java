package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Over how many shards a job's tasks are spread, and over how many they were while some of them may still lie where they were
 * put then. Immutable.
 *
 * @param epoch rises with every change of the count
 * @param phase whether tasks may be put where this layout says
 * @param uid of the job whose definition asked for it
 * @param generation of that definition
 * @param count of shards; new tasks go to one of them
 * @param former counts by which some tasks may lie elsewhere, rising
 * @param span how many shards may hold anything at all
 */
public record Layout(long epoch, Phase phase, String uid, long generation, int count, List<Integer> former, int span) {

    /** The most shards a job can have. */
    public static final int MAX = 64;

    /** What holds as long as nobody ever asked for more than one shard. */
    public static final Layout SINGLE = new Layout(0, Phase.OPEN, "", -1, 1, List.of(), 1);

    /** Whether tasks may be put where a layout says. */
    public enum Phase {
        /** Not yet: those who act on the layout before have to be fenced first. */
        CLOSED,
        /** They may. */
        OPEN
    }

    /** Keeps its own copy of the list. */
    public Layout {
        former = List.copyOf(former);
    }

    /** Whether there is one shard, and no other may hold anything. */
    public boolean isSingle() {
        return active() == 1;
    }

    /** How many shards may hold tasks: the first so many. */
    public int active() {
        return Math.max(count, former.stream().mapToInt(n -> n).max().orElse(1));
    }

    /** The shard that a new task of this id goes to. */
    public int home(TaskId id) {
        return Homes.of(id, count);
    }

    /** The other shards in which a task of this id may still live. */
    public List<Integer> formerHomes(TaskId id) {
        if (former.isEmpty()) {
            return List.of();
        }
        int home = home(id);
        return former.stream()
                .map(n -> Homes.of(id, n))
                .distinct()
                .filter(shard -> shard != home)
                .toList();
    }

    /** Every shard in which a task of this id may live, its home first. */
    public List<Integer> homes(TaskId id) {
        return Stream.concat(Stream.of(home(id)), formerHomes(id).stream()).toList();
    }

    /** Each shard's part of what a whole queue may hold; by chance one is full a little before the others. */
    public QueueLimits partOf(QueueLimits whole) {
        return count == 1 ? whole : whole.withDepth(part(whole.maxDepth())).withDead(part(whole.deadMaxCount()));
    }

    private long part(long whole) {
        return (whole + count - 1) / count;
    }

    /** Whether a definition asks for another count than this, and is not older than what asked for this one. */
    boolean isOutdatedBy(JobDefinition job) {
        boolean newer = !uid.equals(job.uid()) || job.generation() > generation;
        return newer && wish(job) != count;
    }

    /** How many shards a definition asks for. */
    public static int wish(JobDefinition job) {
        return job.work() instanceof DelayedWork work ? work.shards() : 1;
    }

    /**
     * The layout that a definition asks for, not open yet.
     *
     * @param found how many shards were found to hold something, if more than is known
     */
    Layout changedFor(JobDefinition job, int found) {
        int wish = wish(job);
        var before = new TreeSet<>(former);
        before.add(count);
        // Of what only the data tell, nobody knows by how many shards it was spread.
        IntStream.rangeClosed(2, found > active() ? found : 1).forEach(before::add);
        before.remove(wish);
        return new Layout(
                epoch + 1,
                Phase.CLOSED,
                job.uid(),
                job.generation(),
                wish,
                List.copyOf(before),
                Math.max(Math.max(span, wish), found));
    }

    Layout opened() {
        return new Layout(epoch, Phase.OPEN, uid, generation, count, former, span);
    }

    /** All tasks lie where the count says. */
    Layout drained() {
        return new Layout(epoch, phase, uid, generation, count, List.of(), span);
    }

    /** The shards above the count are gone. */
    Layout trimmed() {
        return new Layout(epoch, phase, uid, generation, count, former, count);
    }

    /** The stored form: {@code epoch|phase|uid|generation|count|former,former|span}; empty for {@link #SINGLE}. */
    String text() {
        return equals(SINGLE)
                ? ""
                : String.join(
                        "|",
                        Long.toString(epoch),
                        phase.name(),
                        uid,
                        Long.toString(generation),
                        Integer.toString(count),
                        former.stream().map(n -> Integer.toString(n)).collect(Collectors.joining(",")),
                        Integer.toString(span));
    }

    /**
     * Reads the stored form.
     *
     * @throws IllegalStateException if it is not of this form
     */
    static Layout parse(String text) {
        if (text.isEmpty()) {
            return SINGLE;
        }
        String[] fields = text.split("\\|", -1);
        try {
            return new Layout(
                    Long.parseLong(fields[0]),
                    Phase.valueOf(fields[1]),
                    fields[2],
                    Long.parseLong(fields[3]),
                    Integer.parseInt(fields[4]),
                    Arrays.stream(fields[5].split(","))
                            .filter(n -> !n.isEmpty())
                            .map(Integer::valueOf)
                            .toList(),
                    Integer.parseInt(fields[6]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalStateException("not a layout of shards: '" + text + "'", e);
        }
    }
}
