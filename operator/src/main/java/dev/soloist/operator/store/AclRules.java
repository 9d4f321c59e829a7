package dev.soloist.operator.store;

import dev.soloist.coordination.key.RedisKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the three kinds of users may do: a namespace's sidecars, the operator, and both at Sentinels. Pure. Tests
/// compare the commands with those in the scripts, and the lines with the documented ones.
final class AclRules {

    /// What sidecars and their scripts use.
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
            "wait",
            "xack",
            "xadd",
            "xclaim",
            "xdel",
            "xgroup",
            "xinfo",
            "xlen",
            "xpending",
            "xrange",
            "xreadgroup",
            "xrevrange",
            "xtrim",
            "zadd",
            "zcard",
            "zrange",
            "zrem",
            "zremrangebyrank",
            "zscore");

    /// What a client of a Cluster asks of its nodes. Granted on single servers as well, which refuse them by
    /// themselves:
    /// so one line serves all versions and topologies.
    private static final List<String> CLUSTER =
            List.of("cluster|slots", "cluster|shards", "cluster|nodes", "cluster|myid", "asking", "readonly");

    /// What only the operator does: it makes users, removes them, and drops the queues of deleted jobs.
    private static final List<String> OPERATOR =
            List.of("unlink", "acl|setuser", "acl|deluser", "acl|getuser", "acl|users");

    private static final List<String> SENTINEL = List.of(
            "ping",
            "hello",
            "auth",
            "client|setname",
            "sentinel|get-master-addr-by-name",
            "sentinel|replicas",
            "subscribe",
            "psubscribe");

    private AclRules() {}

    /// The rules of a namespace's user: its own keys and channels.
    ///
    /// @param secrets its valid passwords as rules, each `>text` or `#sha256`
    static List<String> sidecar(RedisKeys keys, String namespace, List<String> secrets) {
        return rules(secrets, keys.patternsOf(namespace), Stream.of(COMMANDS, CLUSTER));
    }

    /// The rules of the operator's user: all keys and channels of the installation.
    static List<String> operator(RedisKeys keys, List<String> secrets) {
        return rules(secrets, List.of(keys.patternOfAll()), Stream.of(COMMANDS, CLUSTER, OPERATOR));
    }

    /// The rules of a user at Sentinels: it may ask for the primary and its replicas, and listen.
    static List<String> sentinel(List<String> secrets) {
        var rules = rules(secrets, List.of(), Stream.of(SENTINEL));
        rules.add("&*");
        return rules;
    }

    /// One unknown rule makes a server refuse all of them: no command is named that a supported server does not know.
    private static List<String> rules(List<String> secrets, List<String> patterns, Stream<List<String>> commands) {
        var rules = new ArrayList<String>();
        rules.add("reset");
        rules.add("on");
        rules.addAll(secrets);
        rules.add("resetchannels");
        for (var pattern : patterns) {
            rules.add("~" + pattern);
            rules.add("&" + pattern);
        }
        rules.add("-@all");
        commands.flatMap(List::stream).forEach(command -> rules.add("+" + command));
        return rules;
    }
}
