-- Purpose: Create the job's record in its first delayed slot, or as it was in its former place, unless a record, a lease or
--   a tombstone forbids it.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string)
-- ARGV: 1 uid (text), 2 term (number), 3 mark (text), 4 due (ms), 5 seeded before (0 or 1), 6 revision (text),
--   7 schedule (text), 8 wake channel (text), 9 carried fields (number, 0 for a job that comes from nowhere), 10 carried
--   runs (number), 11.. what move_away answered: each field with its value, then the runs (texts)
-- Returns: SEEDED gen term · PRESENT state mark uid · WAIT (an old run may be alive) · GONE (this uid was deleted) ·
--   DATA_LOSS (the caller had seeded it; nothing written)
-- Atomic: record, token and mark appear together. Raising the term after DATA_LOSS is left to the caller.
-- Repeat: the second call answers PRESENT and changes nothing.
-- Time: none
-- Cost: O(1)
local rec, rdy, dly, lock, hist, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local uid, term, id, due, seeded, wake = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[8]
local fields, count = tonumber(ARGV[9]), tonumber(ARGV[10])
if not (term and due and fields and count) or uid == '' or id == '' then return redis.error_reply('SOLOIST_ARGS seed') end
local function text(n) return string.format('%.0f', n) end

local st, gen, was, fence, oldTerm, del, moved =
  unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'fence', 'term', 'del', 'moved'))
local held, known = redis.call('EXISTS', lock), redis.call('GET', mark)
if st == 'RUNNING' and del then return {'WAIT'} end
if st and st ~= 'DELETED' then return {'PRESENT', st, known or '', was or ''} end
if held == 1 then return {'WAIT'} end
if st and was == uid then return {'GONE'} end
if not st and seeded == '1' then return {'DATA_LOSS'} end

local kept, runs = {}, {}
if fields > 0 then
  for i = 11, 10 + 2 * fields, 2 do kept[ARGV[i]] = ARGV[i + 1] end
  for i = 11 + 2 * fields, 10 + 2 * fields + count do runs[#runs + 1] = ARGV[i] end
elseif moved and was == 'moved:' .. uid then -- it left, arrived nowhere and is back
  local own = redis.call('HGETALL', rec)
  for i = 1, #own, 2 do kept[own[i]] = own[i + 1] end
  runs = redis.pcall('LRANGE', hist, '0', '-1')
end
local function num(s, default) return tonumber(s) or default end
gen = text(math.max(num(gen, 0), num(kept.gen, 0)) + 1)
fence = text(math.max(num(fence, 0), num(kept.fence, 0)))
due = num(kept.due, due)
st = kept.moved == 'PAUSED' and 'PAUSED' or 'DELAYED'
-- A namesake must not restart below the fences of the deleted job: both parts go on from the tombstone. Its term is
-- another one, so that a claim of the deleted job that comes late wins nothing: what nonces were spent is forgotten.
term = text(math.max(term, num(oldTerm, 0) + 1, num(kept.term, 0) + (kept.moved and 1 or 0)))
redis.call('DEL', rec, rdy, dly, hist) -- also takes the tombstone's expiry away
redis.call('SET', mark, id)
redis.call('HSET', rec, 'due', text(due), 'nb', '0', 'slot', text(due), 'att', '0', 'runs', '0', 'misses', '0', 'fails', '0',
  'rev', ARGV[6], 'sched', ARGV[7])
for field, value in pairs(kept) do redis.call('HSET', rec, field, value) end
redis.call('HDEL', rec, 'moved')
redis.call('HSET', rec, 'st', st, 'gen', gen, 'uid', uid, 'term', term, 'fence', fence)
for i = 1, #runs do redis.call('RPUSH', hist, runs[i]) end
if st == 'DELAYED' then redis.call('ZADD', dly, text(math.max(due, num(kept.nb, 0))), gen) end
redis.call('PUBLISH', wake, 'delayed')
return {'SEEDED', gen, term}
