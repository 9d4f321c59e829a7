-- Purpose: Leave the job's place, for it goes on under another back end: at once when idle, else after the run in progress.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string)
-- ARGV: 1 uid (text), 2 wake channel (text)
-- Returns: MOVED gen {field, value..} {runs, oldest first} (what the job knew, for seed in the new place) · AFTER_RUN
--   remaining (ms of the lease; the run goes on and is the last here) · ABSENT (or only what an earlier move or another
--   job left) · GONE (this very job was ended here) · OTHER uid (a living namesake; nothing done)
-- Atomic: a tombstone that is nobody's stands in the record's place for 30 days, so that the job may come back. What the
--   job knew stays in it until forget.lua.
-- Repeat: the same answer; ABSENT once it is forgotten here.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, lock, hist, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local uid, wake = ARGV[1], ARGV[2]
if uid == '' then return redis.error_reply('SOLOIST_ARGS move_away') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local st, gen, was, lu, paused, leaving, moved =
  unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'lu', 'paused', 'leaving', 'moved'))
if not st then return {'ABSENT'} end
if st == 'DELETED' and was == uid then return {'GONE'} end
if st == 'DELETED' and not (moved and was == 'moved:' .. uid) then return {'ABSENT'} end
if st ~= 'DELETED' and was ~= uid then return {'OTHER', was or ''} end
if st == 'RUNNING' then
  if not paused then
    redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
    redis.call('HSET', rec, 'paused', '1', 'leaving', '1') -- nobody's wish, so that the plan goes on in the new place
  end
  return {'AFTER_RUN', string.format('%.0f', math.max(0, (tonumber(lu) or 0) - now, redis.call('PTTL', lock)))}
end
if st ~= 'DELETED' then
  redis.call('DEL', rdy, dly, mark)
  if redis.call('EXISTS', lock) == 0 then redis.call('DEL', lock) end -- what is left of a lease that is over
  redis.call('HDEL', rec, 'leaving')
  redis.call('HSET', rec, 'st', 'DELETED', 'uid', 'moved:' .. uid, 'moved',
    st == 'PAUSED' and not leaving and 'PAUSED' or 'DELAYED')
  redis.call('PEXPIRE', rec, '2592000000') -- 30 d: longer than any old run or lagging operator
  redis.call('PEXPIRE', hist, '2592000000')
  redis.call('PUBLISH', wake, 'deleted')
end
local runs = redis.pcall('LRANGE', hist, '0', '-1')
return {'MOVED', gen or '0', redis.call('HGETALL', rec), runs.err and {} or runs}
