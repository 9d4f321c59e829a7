package dev.soloist.coordination.link;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A node of a Cluster says who serves the slot. The command was not done, so asking the other is no repeat. */
final class Redirect extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final Pattern FORM = Pattern.compile("(MOVED|ASK) (\\d+) (.*):(\\d+)");

    private final boolean ask;
    private final String host;
    private final int port;

    private Redirect(String message, boolean ask, String host, int port) {
        super(message, null, false, false);
        this.ask = ask;
        this.host = host;
        this.port = port;
    }

    static @Nullable Redirect read(Throwable error) {
        if (!(error instanceof RedisCommandExecutionException) || error.getMessage() == null) {
            return null;
        }
        Matcher found = FORM.matcher(error.getMessage());
        return found.lookingAt()
                ? new Redirect(
                        error.getMessage(),
                        found.group(1).equals("ASK"),
                        found.group(3),
                        Integer.parseInt(found.group(4)))
                : null;
    }

    /** Whether for this command only: the slot is on its way there. */
    boolean ask() {
        return ask;
    }

    /** The other node; one that has no name is on the host of the node that answered. */
    HostAndPort target(HostAndPort answeredBy) {
        return new HostAndPort(host.isEmpty() || host.equals("?") ? answeredBy.host() : host, port);
    }
}
