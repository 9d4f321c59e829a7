package dev.soloist.coordination.history;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the scripts of singleton jobs did, read from what they wrote. */
final class SingletonAccount {

    private static final int RECORD = 0;

    private final Consumer<Event> history;

    SingletonAccount(Consumer<Event> history) {
        this.history = history;
    }

    void tell(ScriptCall call) {
        Map<String, String> fields = call.written(RECORD);
        String state = fields.get("st");
        List<String> args = call.args();
        String job = call.job();
        long at = call.at();
        switch (call.verb()) {
            case "claim" -> {
                if (state != null) {
                    history.accept(new Event.Granted(
                            at,
                            job,
                            fields.get("owner"),
                            fields.get("nonce"),
                            fence(fields.get("rterm"), fields.get("fence")),
                            Long.parseLong(fields.get("lu")),
                            Long.parseLong(args.get(5))));
                } else if (fields.containsKey("lu")) {
                    extended(call, fields, args.get(3), args.get(4));
                }
            }
            case "renew" -> {
                if (fields.containsKey("lu")) {
                    extended(call, fields, args.get(1), args.get(2));
                }
            }
            case "finish" -> over(call, fields, args.get(1), fence(args.get(2), args.get(3)), 0);
            case "reclaim" -> over(call, fields, "", fence(args.get(1), args.get(2)), 0);
            case "release" -> {
                over(call, fields, args.get(1), "", 0);
                if (state == null) {
                    history.accept(new Event.NonceSpent(at, job, args.get(1)));
                }
            }
            case "watch" -> {
                if (fields.containsKey("lastResult") || "DELETED".equals(state)) {
                    over(call, fields, "", "", Long.parseLong(args.getFirst()));
                } else {
                    planned(call, fields);
                }
            }
            default -> planned(call, fields);
        }
    }

    private void extended(ScriptCall call, Map<String, String> fields, String nonce, String ttl) {
        long until = Long.parseLong(fields.get("lu"));
        history.accept(new Event.Extended(call.at(), call.job(), nonce, until, until - Long.parseLong(ttl)));
    }

    private void over(ScriptCall call, Map<String, String> fields, String nonce, String fence, long grace) {
        String state = fields.get("st");
        if (state != null) {
            history.accept(new Event.RunOver(
                    call.at(), call.job(), call.verb(), nonce, fence, state, grace, Math.max(0, due(fields))));
        }
    }

    private void planned(ScriptCall call, Map<String, String> fields) {
        String state = fields.get("st");
        if (state != null) {
            history.accept(new Event.Planned(call.at(), call.job(), call.verb(), state, due(fields)));
        }
    }

    private static long due(Map<String, String> fields) {
        return Math.max(
                Long.parseLong(fields.getOrDefault("due", "-1")), Long.parseLong(fields.getOrDefault("nb", "-1")));
    }

    private static String fence(String term, String sequence) {
        return "%010d-%016d".formatted(Long.parseLong(term), Long.parseLong(sequence));
    }
}
