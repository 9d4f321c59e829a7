package dev.soloist.coordination.link;

import org.jspecify.annotations.Nullable;

/**
 * A Redis user and its password. Immutable.
 *
 * @param username the ACL user, or null for the default user
 * @param password the password, or null if the server wants none
 */
public record Credentials(
        @Nullable String username, @Nullable String password) {

    /** No user and no password. */
    public static final Credentials NONE = new Credentials(null, null);

    /** Never shows the password. */
    @Override
    public String toString() {
        return "Credentials[" + (username == null ? "default" : username) + "]";
    }
}
