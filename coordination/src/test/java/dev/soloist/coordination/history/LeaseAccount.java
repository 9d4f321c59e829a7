package dev.soloist.coordination.history;

import java.util.function.Consumer;

/** What the scripts of leases of apps did, read from what they wrote. */
final class LeaseAccount {

    private static final int LEASES = 0;

    private final Consumer<Event> history;

    LeaseAccount(Consumer<Event> history) {
        this.history = history;
    }

    void tell(ScriptCall call) {
        String member = call.args().getFirst();
        String record = call.written(LEASES).get(member);
        if (record != null) {
            String[] parts = record.split("\\|", -1);
            history.accept(
                    call.verb().equals("revoke")
                            ? new Event.LeaseRevoked(call.at(), call.job(), parts[2])
                            : new Event.LeaseHeld(
                                    call.at(),
                                    call.job(),
                                    parts[0],
                                    parts[2],
                                    Long.parseLong(parts[3]),
                                    Long.parseLong(parts[3]) - Long.parseLong(parts[6]),
                                    call.verb().equals("acquire")));
        } else if (call.verb().equals("release") && call.deleted(LEASES).contains(member)) {
            history.accept(new Event.LeaseGivenBack(
                    call.at(), call.job(), call.args().get(1), call.args().get(2)));
        }
    }
}
