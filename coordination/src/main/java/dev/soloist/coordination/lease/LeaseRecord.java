package dev.soloist.coordination.lease;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.singleton.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads members and records of the namespace's leases; their form is told here and in the scripts only. Pure. */
final class LeaseRecord {

    private static final String APP = "app/";
    private static final String JOB = "job/";

    private LeaseRecord() {}

    static String member(LeaseName name) {
        return APP + name.text();
    }

    /** A view of one entry, or nothing where it was tampered with. */
    static Optional<LeaseView> view(String member, String record, Instant end, Instant now) {
        var parts = record.split("\\|", -1);
        var remaining = Duration.between(now, end);
        try {
            if (member.startsWith(APP) && parts.length == 8) {
                return Optional.of(new LeaseView.OfApp(
                        member.substring(APP.length()),
                        new LeaseHolder(parts[0], parts[4]),
                        fence(Long.parseLong(parts[2])),
                        Instant.ofEpochMilli(Long.parseLong(parts[5])),
                        Duration.ofMillis(Long.parseLong(parts[6])),
                        parts[7].equals("1"),
                        end,
                        remaining));
            }
            if (member.startsWith(JOB) && parts.length == 3) {
                return Optional.of(new LeaseView.OfJob(
                        member.substring(JOB.length()),
                        new InstanceId(parts[0]),
                        Long.parseLong(parts[2]),
                        end,
                        remaining));
            }
            return Optional.empty();
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** No object in the cluster stands for a lease of an app, so there is no term to raise: the sequence rises alone. */
    static Fence fence(long sequence) {
        return new Fence(0, sequence);
    }
}
