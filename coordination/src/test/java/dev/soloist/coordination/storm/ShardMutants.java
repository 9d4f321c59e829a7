package dev.soloist.coordination.storm;

import java.util.List;

/** Breaks that a storm has to find in which the number of shards changes all the time, each in one script. */
final class ShardMutants {

    private ShardMutants() {}

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "a layout is open before anybody is fenced",
                    "shard/layout",
                    "redis.call('SET', layout, new)",
                    "redis.call('SET', layout, (string.gsub(new, 'CLOSED', 'OPEN')))"),
            new Mutant(
                    "a layout forgets the former counts",
                    "shard/layout",
                    "redis.call('SET', layout, new)",
                    "redis.call('SET', layout, (string.gsub(new, '|[%d,]*|(%d+)$', '||%1')))"),
            new Mutant(
                    "a former home records",
                    "delayed/enqueue",
                    "if redis.call('HLEN', tasks) >= tonumber(ARGV[11]) + redis.call('ZCARD', KEYS[6]) then return {'REFUSED', 'FULL'} end",
                    ""),
            new Mutant(
                    "a change overlooks those whose lease is over",
                    "instance/list",
                    "if state then out",
                    "if state == 'FENCED' or (state and tonumber(over) >= now) then out"));
}
