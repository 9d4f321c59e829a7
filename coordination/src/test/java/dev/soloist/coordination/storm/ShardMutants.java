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
            new Mutant("a walk names no id", "shard/repair_ids", "for i = 1, #page[2], 2", "for i = 1, 0"),
            new Mutant(
                    "a former home records",
                    "delayed/enqueue",
                    "if redis.call('HLEN', tasks) >= tonumber(ARGV[11]) + redis.call('ZCARD', KEYS[6]) then return {'REFUSED', 'FULL'} end",
                    ""),
            new Mutant(
                    "who was fenced records by a former layout",
                    "delayed/enqueue",
                    "if string.sub(redis.call('HGET', KEYS[3], inst) or '', 1, 7) ~= 'ACTIVE|' then",
                    "if not redis.call('HGET', KEYS[3], inst) then"),
            new Mutant(
                    "a change waits for leases instead of fencing",
                    "instance/fence",
                    "if ARGV[2] ~= 'TERMINATED' and over >= now then",
                    "if over >= now then"),
            new Mutant(
                    "a change overlooks those whose lease is over",
                    "instance/list",
                    "if state then out",
                    "if state == 'FENCED' or (state and tonumber(over) >= now) then out"),
            new Mutant(
                    "a shard is removed with its tasks",
                    "shard/remove",
                    "if redis.call('HLEN', KEYS[1]) > 0 or redis.call('HLEN', KEYS[2]) > 0 then",
                    "if redis.call('HLEN', KEYS[2]) > 0 then"),
            new Mutant(
                    "a shard is removed with what it remembers",
                    "shard/remove",
                    "if redis.call('HLEN', KEYS[1]) > 0 or redis.call('HLEN', KEYS[2]) > 0 then",
                    "if redis.call('HLEN', KEYS[1]) > 0 then"),
            new Mutant(
                    "a shard is removed with those who take part",
                    "shard/remove",
                    "if string.sub(all[i + 1], 1, 7) == 'ACTIVE|' and over >= now then",
                    "if false then"),
            new Mutant(
                    "a layout is written whatever it has become",
                    "shard/layout",
                    "if new ~= '' and now == believed then",
                    "if new ~= '' then"));
}
