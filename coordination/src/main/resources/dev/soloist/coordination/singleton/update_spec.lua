-- Purpose: Let a changed schedule take effect at once: the old due moment goes, also when a run is in progress.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset)
-- ARGV: 1 revision (text), 2 schedule (text), 3 due (ms), 4 wake channel (text)
-- Returns: UNCHANGED (same schedule; the revision is stored) · UPDATED state · AFTER_RUN · ABSENT (no living record)
-- Atomic: one valid token before and after; the generation rises, so an older token is void.
-- Repeat: UNCHANGED.
-- Time: none
-- Cost: O(1)
local rec, rdy, dly, rev, sched, due, wake = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if not due then return redis.error_reply('SOLOIST_ARGS update_spec') end
local function text(n) return string.format('%.0f', n) end

local st, gen, oldDue, nb, oldRev, oldSched, cool = unpack(redis.call('HMGET', rec, 'st', 'gen', 'due', 'nb', 'rev',
  'sched', 'cool'))
if not st or st == 'DELETED' then return {'ABSENT'} end
if oldSched == sched and oldRev == rev then return {'UNCHANGED'} end
redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
redis.call('HSET', rec, 'rev', rev, 'sched', sched)
if oldSched == sched then return {'UNCHANGED'} end
if st == 'RUNNING' then
  redis.call('HSET', rec, 'pend', text(due))
  return {'AFTER_RUN'}
end
-- A hold until the next run moves with that run; a hold for a time stays, as does a cooldown.
nb = math.max(nb == oldDue and due or tonumber(nb) or 0, tonumber(cool) or 0)
gen = text((tonumber(gen) or 0) + 1)
redis.call('DEL', rdy, dly)
redis.call('HDEL', rec, 'pend', 'hand')
st = st == 'PAUSED' and st or 'DELAYED'
redis.call('HSET', rec, 'st', st, 'gen', gen, 'due', text(due), 'nb', text(nb), 'slot', text(due), 'att', '0')
if st == 'DELAYED' then redis.call('ZADD', dly, text(math.max(due, nb)), gen) end
redis.call('PUBLISH', wake, 'delayed')
return {'UPDATED', st}
