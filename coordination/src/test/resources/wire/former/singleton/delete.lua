-- Purpose: End the job: at once when idle, else after the run in progress, which is asked to stop.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string)
-- ARGV: 1 uid (text), 2 wake channel (text)
-- Returns: DELETED · AFTER_RUN remaining (ms of the lease; finish, release or watch completes it) · ABSENT ·
--   OTHER uid (a namesake; nothing done)
-- Atomic: a tombstone with generation, term and fence stands in the record's place for 30 days.
-- Repeat: no further effect.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, lock, hist, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local uid, wake = ARGV[1], ARGV[2]
if uid == '' then return redis.error_reply('SOLOIST_ARGS delete') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local st, gen, was, term, fence, last, lu, del = unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'term', 'fence',
  'lastFence', 'lu', 'del'))
if not st then return {'ABSENT'} end
if was ~= uid then return {'OTHER', was or ''} end
if st == 'DELETED' then return {'DELETED'} end
if st == 'RUNNING' then
  if not del then
    -- DELETED at once would turn the owner's renewals into LOST and let a namesake start beside it.
    redis.call('HDEL', rec, 'trig', 'pend')
    redis.call('HSET', rec, 'del', '1', 'cancel', fence)
    redis.call('PUBLISH', wake, 'cancel')
  end
  local left = math.max(0, (tonumber(lu) or 0) - now, redis.call('PTTL', lock))
  return {'AFTER_RUN', string.format('%.0f', left)}
end
redis.call('DEL', rec, rdy, dly, mark)
redis.call('HSET', rec, 'st', 'DELETED', 'gen', gen, 'uid', uid, 'term', term or '0', 'fence', fence or '0',
  'lastFence', last or '0')
redis.call('PEXPIRE', rec, '2592000000') -- 30 d: longer than any old run or lagging operator
redis.call('PEXPIRE', hist, '2592000000')
redis.call('PUBLISH', wake, 'deleted')
return {'DELETED'}
