package dev.soloist.coordination.key;

import java.util.regex.Pattern;

/** The name of one installation of Soloist; two installations with different names can share a Redis. Immutable. */
public record Install(String name) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,32}");

    /** The installation that is meant when nobody names one. */
    public static final Install MAIN = new Install("main");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is not 1 to 32 of {@code a-z 0-9 -}; a brace would move the hash tag
     */
    public Install {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("install name '" + name + "' must be 1 to 32 of a-z, 0-9 and -");
        }
    }
}
