package dev.soloist.coordination.storm;

import java.util.List;

/** The breaks that the storm has to find, each in one script. */
final class Mutants {

    private Mutants() {}

    static final List<Mutant> SINGLETON = List.of(
            new Mutant(
                    "a claim takes a job that runs",
                    "singleton/claim",
                    "if st == 'RUNNING' then return {'EMPTY', st, text(math.max(0, lu - now))} end",
                    "if st == 'RUNNING' then st, held = 'READY', false end"),
            new Mutant(
                    "a claim ignores the lock",
                    "singleton/claim",
                    "if held then return {'BUSY', text(redis.call('PTTL', lock))} end",
                    ""),
            new Mutant(
                    "a claim does not wait for the due moment",
                    "singleton/claim",
                    "if st == 'DELAYED' and at > now then return {'EMPTY', st, text(at - now)} end",
                    ""),
            new Mutant("a late claim wins", "singleton/claim", "if now > notAfter then return {'TOO_LATE'} end", ""),
            new Mutant(
                    "the fence stays",
                    "singleton/claim",
                    "fence = text(math.max((tonumber(fence) or 0) + 1, t[1] * 1000000 + t[2]))",
                    "fence = fence ~= '0' and fence or text(t[1] * 1000000 + t[2])"),
            new Mutant("the fence counts milliseconds", "singleton/claim", "t[1] * 1000000 + t[2]", "now"),
            new Mutant(
                    "a claim leaves its token",
                    "singleton/claim",
                    "redis.call('DEL', rdy, dly)",
                    "redis.call('DEL', dly)"),
            new Mutant(
                    "a lapsed lease is renewed",
                    "singleton/renew",
                    "if redis.call('GET', lock) ~= inst .. '|' .. nonce .. '|' .. fence or (tonumber(lu) or 0) <= now then",
                    "if false then"),
            new Mutant(
                    "a finish compares no nonce",
                    "singleton/finish",
                    "if st ~= 'RUNNING' or owner ~= inst or its ~= nonce or fence ~= seq or term ~= rterm then",
                    "if st ~= 'RUNNING' then"),
            new Mutant(
                    "a finish leaves the lock",
                    "singleton/finish",
                    "redis.call('DEL', lock, rdy, dly)",
                    "redis.call('DEL', rdy, dly)"),
            new Mutant(
                    "a finish does not spend its nonce",
                    "singleton/finish",
                    "string.sub(nonce .. ' ' .. (spent or ''), 1, 240)",
                    "spent or ''"),
            new Mutant(
                    "a nonce given up is not spent", "singleton/release", "redis.call('HSET', rec, 'spent', used)", ""),
            new Mutant(
                    "a release compares no nonce",
                    "singleton/release",
                    "if st ~= 'RUNNING' or owner ~= inst or its ~= nonce then",
                    "if st ~= 'RUNNING' then"),
            new Mutant(
                    "a watchdog waits for no grace",
                    "singleton/watch",
                    "if num(lu, 0) + grace >= now then",
                    "if num(lu, 0) >= now then"),
            new Mutant(
                    "a watchdog judges by age",
                    "singleton/watch",
                    "if held == owner .. '|' .. nonce .. '|' .. fence then",
                    "if now - num(started, now) > 15 then held, lu = false, 0 end\nif held == owner .. '|' .. nonce .. '|' .. fence then"),
            new Mutant(
                    "a watchdog doubles the token",
                    "singleton/watch",
                    "if st == 'READY' and #token == 1 and token[1] == gen then return {'OK'} end\n  redis.call('DEL', rdy, dly)",
                    "redis.call('DEL', dly)"),
            new Mutant(
                    "a proof of death hits the next run",
                    "singleton/reclaim",
                    "if st ~= 'RUNNING' or owner ~= inst or fence ~= seq or its ~= rterm then",
                    "if st ~= 'RUNNING' then"),
            new Mutant(
                    "a namesake takes the claims of the deleted job",
                    "singleton/seed",
                    "term = text(math.max(term, num(oldTerm, 0) + 1, num(kept.term, 0)",
                    "term = text(math.max(term, num(oldTerm, 0), num(kept.term, 0)"),
            new Mutant(
                    "a deletion does not wait for the run",
                    "singleton/delete",
                    "if st == 'RUNNING' then",
                    "if false then"));

    static final List<Mutant> QUEUE = List.of(
            new Mutant(
                    "an enqueue overwrites what is held",
                    "delayed/enqueue",
                    "if st == 'I' then return {'REFUSED', 'IN_FLIGHT'} end",
                    ""),
            new Mutant(
                    "an enqueue does not remember what has ended",
                    "delayed/enqueue",
                    "local was, reqs = string.match(old, '^%a|(%d+)|%d+|[^|]*|(.*)$')",
                    "local was, reqs = 0, ''"),
            new Mutant(
                    "an enqueue forgets the index",
                    "delayed/enqueue",
                    "  claim()\n  index()\n  created = true",
                    "  claim()\n  created = true"),
            new Mutant(
                    "a fenced instance enqueues",
                    "delayed/enqueue",
                    "if string.sub(redis.call('HGET', KEYS[3], inst) or '', 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end",
                    ""),
            new Mutant(
                    "a move drops one",
                    "delayed/move",
                    "if #list > 0 then redis.call('RPUSH', ready[digit], unpack(list)) end",
                    "if #list > 1 then redis.call('RPUSH', ready[digit], unpack(list, 2)) end"),
            new Mutant(
                    "a reservation takes what is held",
                    "delayed/reserve",
                    "if prio and st == 'P' and not seen[id] then",
                    "if prio and st ~= 'D' and not seen[id] then"),
            new Mutant(
                    "a reservation comes early",
                    "delayed/reserve",
                    "if tonumber(due) > now then",
                    "if tonumber(due) > now + 1000 then"),
            new Mutant(
                    "a repeated reservation burns another batch",
                    "delayed/reserve",
                    "if batch and string.match(known, '^%S+') == nonce then",
                    "if false then"),
            new Mutant(
                    "a late copy of a reservation takes a batch",
                    "delayed/reserve",
                    "if string.find(known, nonce, 1, true) then return {'RESERVED', int(now), 0, out, 0} end",
                    ""),
            new Mutant(
                    "an acknowledgement compares no receipt",
                    "delayed/ack",
                    "if st == 'I' and held == receipt then",
                    "if st == 'I' then"),
            new Mutant(
                    "an acknowledgement leaves the task in flight",
                    "delayed/ack",
                    "    redis.call('HDEL', tasks, id)\n",
                    ""),
            new Mutant(
                    "an extension compares no receipt",
                    "delayed/extend",
                    "if st ~= 'I' or held ~= ARGV[2] then",
                    "if st ~= 'I' then"),
            new Mutant(
                    "a give-back compares no receipt",
                    "delayed/nack",
                    "if st ~= 'I' or held ~= ARGV[3] then",
                    "if st ~= 'I' then"),
            new Mutant(
                    "a give-back forgets the index",
                    "delayed/nack",
                    "redis.call('ZADD', segment, due, prio .. id)",
                    ""),
            new Mutant("a give-back forgets the cancellation", "delayed/nack", "if flag == '1' then", "if false then"),
            new Mutant(
                    "a sweep forgets the index",
                    "delayed/sweep",
                    "redis.call('ZADD', segment, int(at), prio .. id)",
                    ""),
            new Mutant(
                    "a sweep comes early",
                    "delayed/sweep",
                    "local over = redis.call('ZRANGE', inFlight, '-inf', int(now),",
                    "local over = redis.call('ZRANGE', inFlight, '-inf', int(now + 20),"),
            new Mutant(
                    "a sweep forgets the cancellation",
                    "delayed/sweep",
                    "elseif flag == '1' then",
                    "elseif false then"),
            new Mutant("a cancelled task can still run", "delayed/cancel", "redis.call('HDEL', tasks, id)", ""),
            new Mutant("a cancellation robs the holder", "delayed/cancel", "if st == 'I' then", "if false then"),
            new Mutant(
                    "a postponement takes what is held",
                    "delayed/reschedule",
                    "if st == 'I' then return {'REFUSED', 'IN_FLIGHT'} end",
                    ""));

    static final List<Mutant> INSTANCE = List.of(
            new Mutant(
                    "a fence ignores the living lease",
                    "instance/fence",
                    "if ARGV[2] ~= 'TERMINATED' and over >= now then",
                    "if false then"),
            new Mutant(
                    "an adoption drops the segments",
                    "instance/adopt",
                    "head .. own .. ',' .. segments",
                    "head .. own"),
            new Mutant("a living instance is adopted", "instance/adopt", "'^FENCED|[^|]*|(.*)$'", "'^%u+|[^|]*|(.*)$'"),
            new Mutant(
                    "a fenced instance beats on", "instance/heartbeat", "'^ACTIVE|[^|]*|(.*)$'", "'^%u+|[^|]*|(.*)$'"),
            new Mutant(
                    "a full segment is struck off",
                    "instance/drop",
                    " or redis.call('ZCARD', KEYS[2]) > 0 then",
                    " then"));

    /** Found by a storm with deduplication and a rate limit. */
    static final List<Mutant> RULED_QUEUE = List.of(
            new Mutant(
                    "every give-back takes its start back",
                    "delayed/nack",
                    "mode == 'UNSEEN' and redis.call('ZSCORE'",
                    "redis.call('ZSCORE'"),
            new Mutant(
                    "an end is told to whoever asks",
                    "delayed/ack",
                    "local again = how == 'D' and before == receipt",
                    "local again = how == 'D'"),
            new Mutant(
                    "an enqueue asks for no key",
                    "delayed/enqueue",
                    "if not by or (by == id and state == 'P') then return nil end",
                    "if not by or (by == id and state == 'P') or state ~= 'D' then return nil end"),
            new Mutant(
                    "a key stays with a task that is gone",
                    "delayed/enqueue",
                    "if redis.call('HEXISTS', tasks, by) == 0 or (redis.call('HGET', keys, 't' .. by) or by) ~= key then return nil end",
                    ""),
            new Mutant(
                    "a key outlives its window",
                    "delayed/enqueue",
                    "return tonumber(till) > now and {by, state, due, till} or nil",
                    "return {by, state, due, till}"),
            new Mutant(
                    "a new task takes no key",
                    "delayed/enqueue",
                    "claim()\n  index()\n  created = true",
                    "index()\n  created = true"),
            new Mutant(
                    "what was handled frees its key",
                    "delayed/ack",
                    "if by == id then redis.call('HSET', keys, 'k' .. key, 'S' .. window .. id) end",
                    ""),
            new Mutant(
                    "a purge takes the key of a living task",
                    "delayed/purge",
                    "if how == 'P' and redis.call('HEXISTS', KEYS[1], by) == 1 and (own or by) == key then",
                    "if false then"),
            new Mutant(
                    "a start is not counted",
                    "delayed/reserve",
                    "redis.call('ZADD', starts, unpack(begun))",
                    "redis.call('ZADD', starts, begun[1], begun[2])"),
            new Mutant(
                    "the span ends early",
                    "delayed/reserve",
                    "if newest[i] + span >= now then max = max - 1 end",
                    "if newest[i] + span / 2 >= now then max = max - 1 end"));

    static final List<Mutant> STREAM = List.of(
            new Mutant(
                    "an acknowledgement leaves its entry pending",
                    "delayed/stream/ack",
                    "redis.call('XACK', stream, 'soloist', entry)",
                    ""),
            new Mutant(
                    "an acknowledgement does not forget its entry",
                    "delayed/stream/ack",
                    "redis.call('HDEL', entries, link, 'e' .. entry)",
                    ""),
            new Mutant(
                    "a give-back leaves its entry pending",
                    "delayed/stream/nack",
                    "redis.call('XACK', stream, 'soloist', entry)",
                    ""),
            new Mutant(
                    "a give-back does not forget its entry",
                    "delayed/stream/nack",
                    "redis.call('HDEL', entries, 'i' .. id, 'e' .. entry)",
                    ""),
            new Mutant(
                    "a second delivery leaves the entry of the first pending",
                    "delayed/stream/reserve",
                    "redis.call('XACK', stream, 'soloist', old)",
                    ""),
            new Mutant(
                    "a reservation does not remember its entries",
                    "delayed/stream/reserve",
                    "redis.call('HSET', entries, unpack(links))",
                    ""),
            new Mutant(
                    "a look at what is pending ends what is held",
                    "delayed/stream/claim",
                    "if link == entry and st == 'I' and held == receipt then",
                    "if false then"),
            new Mutant(
                    "a new group keeps what was known of the old one",
                    "delayed/stream/reserve",
                    "redis.call('DEL', entries)",
                    ""),
            new Mutant(
                    "a consumer is removed with what is pending",
                    "delayed/stream/retire",
                    "if consumer.pending == 0 and not",
                    "if not"),
            new Mutant(
                    "a trimming takes what is pending",
                    "delayed/stream/trim",
                    "if first then safe = earlier(safe, first) end",
                    ""));
}
