package dev.soloist.operator.store;

import java.util.Comparator;
import java.util.regex.Pattern;

/// The version of Redis or Valkey that a server says it speaks.
record ServerVersion(int major, int minor) implements Comparable<ServerVersion> {

    private static final Pattern VERSION = Pattern.compile("(?m)^redis_version:([0-9]+)[.]([0-9]+)");
    private static final Comparator<ServerVersion> ORDER =
            Comparator.comparingInt(ServerVersion::major).thenComparingInt(ServerVersion::minor);

    /// Reads the section `server` of INFO. Valkey names the Redis version it is compatible with there, too.
    static ServerVersion read(String info) {
        var found = VERSION.matcher(info);
        return found.find()
                ? new ServerVersion(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)))
                : new ServerVersion(6, 2);
    }

    @Override
    public int compareTo(ServerVersion other) {
        return ORDER.compare(this, other);
    }
}
