package dev.soloist.coordination.cas;

/** What the server would have answered a command with: an error, which a script may catch by {@code redis.pcall}. */
final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailed(String message) {
        super(message, null, false, false);
    }

    static CommandFailed wrongType() {
        return new CommandFailed("WRONGTYPE Operation against a key holding the wrong kind of value");
    }

    static CommandFailed syntax() {
        return new CommandFailed("ERR syntax error");
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
