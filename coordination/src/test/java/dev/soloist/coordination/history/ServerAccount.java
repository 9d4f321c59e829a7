package dev.soloist.coordination.history;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts the lines of MONITOR together to scripts, and says what each of them did. Used by one thread at a time. */
public final class ServerAccount {

    private final ScriptNames names;
    private final SingletonAccount singletons;
    private final QueueAccount queues;
    private final InstanceAccount instances;
    private final LeaseAccount leases;
    private final Consumer<String> markers;
    private @Nullable ScriptCall open;
    private long written;

    /**
     * An account that is written into a history.
     *
     * @param markers hears the text of every ECHO, when all before it is in the history
     */
    public ServerAccount(ScriptNames names, History history, Consumer<String> markers) {
        this.names = names;
        this.singletons = new SingletonAccount(history::add);
        this.queues = new QueueAccount(history::add);
        this.instances = new InstanceAccount(history::add);
        this.leases = new LeaseAccount(history::add);
        this.markers = markers;
    }

    void see(MonitorLine line) {
        List<String> words = line.words();
        if (line.byScript()) {
            if (open != null) {
                open.commands().add(words);
                written = line.at();
            }
            return;
        }
        flush();
        String command = words.getFirst().toUpperCase(Locale.ROOT);
        if (command.equals("ECHO")) {
            markers.accept(words.get(1));
        } else if (command.startsWith("EVAL")) {
            String script = command.equals("EVALSHA") ? names.bySha(words.get(1)) : names.byText(words.get(1));
            int keys = Integer.parseInt(words.get(2));
            if (script != null && keys > 0) {
                open = new ScriptCall(
                        line.at(), script, words.subList(3, 3 + keys), words.subList(3 + keys, words.size()));
            }
        }
    }

    void flush() {
        // A script that the server did not know leaves no trace, and is sent again by its text.
        if (open == null || open.commands().isEmpty()) {
            open = null;
            return;
        }
        // The moment of its last command: what the script itself took for now is not later.
        ScriptCall call = open.at(written);
        open = null;
        switch (call.script().substring(0, call.script().indexOf('/'))) {
            case "singleton" -> singletons.tell(call);
            case "delayed" -> queues.tell(call);
            case "instance" -> instances.tell(call);
            case "lease" -> leases.tell(call);
            default -> {}
        }
    }
}
