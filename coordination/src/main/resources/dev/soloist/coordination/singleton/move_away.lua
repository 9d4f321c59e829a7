-- Purpose: Leave the job's place, for it goes on under another back end: at once when idle, else after the run in progress.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string)
-- ARGV: 1 uid (text), 2 wake channel (text)
-- Returns: MOVED · AFTER_RUN remaining (ms of the lease; the run goes on and is the last here) · ABSENT (or only what an
--   earlier move or another job left) · GONE (this very job was ended here) · OTHER uid (a living namesake; nothing done)
-- Atomic: a tombstone that is nobody's stands in the record's place for 30 days, so that the job may come back.
-- Repeat: ABSENT.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, lock, hist, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local uid, wake = ARGV[1], ARGV[2]
if uid == '' then return redis.error_reply('SOLOIST_ARGS move_away') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local st, gen, was, term, fence, last, lu = unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'term', 'fence',
  'lastFence', 'lu'))
if not st then return {'ABSENT'} end
if st == 'DELETED' then return {was == uid and 'GONE' or 'ABSENT'} end
if was ~= uid then return {'OTHER', was or ''} end
if st == 'RUNNING' then
  redis.call('HDEL', rec, 'trig', 'pend')
  redis.call('HSET', rec, 'paused', '1')
  return {'AFTER_RUN', string.format('%.0f', math.max(0, (tonumber(lu) or 0) - now, redis.call('PTTL', lock)))}
end
redis.call('DEL', rec, rdy, dly, hist, mark)
redis.call('HSET', rec, 'st', 'DELETED', 'gen', gen, 'uid', 'moved:' .. uid, 'term', term or '0', 'fence', fence or '0',
  'lastFence', last or '0')
redis.call('PEXPIRE', rec, '2592000000') -- 30 d: longer than any old run or lagging operator
redis.call('PUBLISH', wake, 'deleted')
return {'MOVED'}
