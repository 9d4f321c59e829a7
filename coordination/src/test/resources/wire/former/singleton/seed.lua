-- Purpose: Create the job's record in its first delayed slot, unless a record, a lease or a tombstone forbids it.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string)
-- ARGV: 1 uid (text), 2 term (number), 3 mark (text), 4 due (ms), 5 seeded before (0 or 1), 6 revision (text),
--   7 schedule (text), 8 wake channel (text)
-- Returns: SEEDED gen term · PRESENT state mark uid · WAIT (an old run may be alive) · GONE (this uid was deleted) ·
--   DATA_LOSS (the caller had seeded it; nothing written)
-- Atomic: record, token and mark appear together. Raising the term after DATA_LOSS is left to the caller.
-- Repeat: the second call answers PRESENT and changes nothing.
-- Time: none
-- Cost: O(1)
local rec, rdy, dly, lock, hist, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local uid, term, id, due, seeded, wake = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[8]
if not (term and due) or uid == '' or id == '' then return redis.error_reply('SOLOIST_ARGS seed') end
local function text(n) return string.format('%.0f', n) end

local st, gen, was, fence, oldTerm, del = unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'fence', 'term', 'del'))
local held, known = redis.call('EXISTS', lock), redis.call('GET', mark)
if st == 'RUNNING' and del then return {'WAIT'} end
if st and st ~= 'DELETED' then return {'PRESENT', st, known or '', was or ''} end
if held == 1 then return {'WAIT'} end
if st and was == uid then return {'GONE'} end
if not st and seeded == '1' then return {'DATA_LOSS'} end

gen = text((tonumber(gen) or 0) + 1)
-- A namesake must not restart below the fences of the deleted job: both parts go on from the tombstone.
term = text(math.max(term, tonumber(oldTerm) or 0))
redis.call('DEL', rec, rdy, dly, hist) -- also takes the tombstone's expiry away
redis.call('SET', mark, id)
redis.call('HSET', rec, 'st', 'DELAYED', 'gen', gen, 'uid', uid, 'term', term, 'fence', fence or '0', 'due', text(due),
  'nb', '0', 'slot', text(due), 'att', '0', 'runs', '0', 'misses', '0', 'fails', '0', 'rev', ARGV[6], 'sched', ARGV[7])
redis.call('ZADD', dly, text(due), gen)
redis.call('PUBLISH', wake, 'delayed')
return {'SEEDED', gen, term}
