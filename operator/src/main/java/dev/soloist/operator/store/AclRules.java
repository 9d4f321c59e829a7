package dev.soloist.operator.store;

import dev.soloist.coordination.key.RedisKeys;
import java.util.ArrayList;
import java.util.List;

/// The rules of a namespace's user: its own keys and channels, and the commands that sidecars and their scripts use.
/// Pure. A test compares the commands with those in the scripts.
final class AclRules {

    static final List<String> COMMANDS = List.of(
            "ping",
            "hello",
            "auth",
            "client|setname",
            "client|id",
            "info",
            "role",
            "time",
            "eval",
            "evalsha",
            "del",
            "exists",
            "get",
            "hdel",
            "hexists",
            "hget",
            "hgetall",
            "hlen",
            "hmget",
            "hscan",
            "hset",
            "llen",
            "lpop",
            "lrange",
            "pexpire",
            "pttl",
            "publish",
            "rpush",
            "set",
            "subscribe",
            "unsubscribe",
            "zadd",
            "zcard",
            "zrange",
            "zrem",
            "zremrangebyrank",
            "zscore");

    private static final ServerVersion KNOWS_SETINFO = new ServerVersion(7, 2);

    private AclRules() {}

    /// One unknown rule makes a server refuse all of them, so they depend on its version.
    static List<String> of(ServerVersion version, RedisKeys keys, String namespace, String password) {
        var rules = new ArrayList<String>();
        rules.add("reset");
        rules.add("on");
        rules.add(">" + password);
        rules.add("resetchannels");
        for (var pattern : keys.patternsOf(namespace)) {
            rules.add("~" + pattern);
            rules.add("&" + pattern);
        }
        rules.add("-@all");
        COMMANDS.forEach(command -> rules.add("+" + command));
        if (version.compareTo(KNOWS_SETINFO) >= 0) {
            rules.add("+client|setinfo");
        }
        return rules;
    }
}
