package dev.soloist.coordination.history;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the scripts of instances did, read from what they wrote. */
final class InstanceAccount {

    private static final int LEASES = 0;

    private final Consumer<Event> history;

    InstanceAccount(Consumer<Event> history) {
        this.history = history;
    }

    void tell(ScriptCall call) {
        List<String> args = call.args();
        switch (call.verb()) {
            case "register", "heartbeat" ->
                call.scored(LEASES)
                        .forEach((instance, until) -> history.accept(new Event.InstanceLease(
                                call.at(),
                                call.job(),
                                instance,
                                until,
                                call.verb().equals("register"))));
            case "fence" ->
                call.written(1)
                        .keySet()
                        .forEach(instance -> history.accept(new Event.Fenced(
                                call.at(), call.job(), instance, args.get(1), Long.parseLong(args.get(2)))));
            case "leave" ->
                call.written(1)
                        .keySet()
                        .forEach(instance ->
                                history.accept(new Event.Fenced(call.at(), call.job(), instance, "LEFT", 0)));
            case "adopt" ->
                call.written(1)
                        .forEach((living, member) -> history.accept(
                                new Event.Adopted(call.at(), call.job(), args.getFirst(), living, segments(member))));
            case "drop" -> segments(call, call.written(0));
            default -> {}
        }
    }

    private void segments(ScriptCall call, Map<String, String> members) {
        members.forEach(
                (owner, member) -> history.accept(new Event.Segments(call.at(), call.job(), owner, segments(member))));
    }

    private static List<String> segments(String member) {
        return List.of(member.split("\\|", 3)[2].split(","));
    }
}
