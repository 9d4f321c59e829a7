-- Purpose: Forgets finished ids whose retention is over, and dead tasks that are too old or too many.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 done (hash), 4 doneExpiry (zset), 5 dead (zset)
-- ARGV: 1 greatest age of a dead task (ms), 2 most dead tasks (number), 3 most to forget of them (up to
--   100)
-- Returns: {PURGED, finished ids, dead tasks}
-- Atomic: A dead task goes with its record.
-- Repeat: Purges the next batch.
-- Time: TIME, once.
-- Cost: O(log n): at most 100 finished ids and as many dead tasks as said per call.
local time, dead = redis.call('TIME'), KEYS[5]
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local over = redis.call('ZRANGE', KEYS[4], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, 100)
local old = redis.call('ZRANGE', dead, '-inf', string.format('%.0f', now - ARGV[1]), 'BYSCORE', 'LIMIT', 0, ARGV[3])
local excess = math.min(redis.call('ZCARD', dead) - ARGV[2], tonumber(ARGV[3]))
if excess > #old then old = redis.call('ZRANGE', dead, 0, excess - 1) end
if #over > 0 then
  redis.call('ZREM', KEYS[4], unpack(over))
  redis.call('HDEL', KEYS[3], unpack(over))
end
if #old > 0 then
  redis.call('ZREM', dead, unpack(old))
  redis.call('HDEL', KEYS[1], unpack(old))
  redis.call('HDEL', KEYS[2], unpack(old))
end
return {'PURGED', #over, #old}
