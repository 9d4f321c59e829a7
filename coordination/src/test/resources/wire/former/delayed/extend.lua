-- Purpose: Lets the holder of a task keep it longer, and tells it of a cancellation.
-- KEYS: 1 attempts (hash), 2 inFlight (zset)
-- ARGV: 1 task id (bytes), 2 receipt (text), 3 visibility from now (ms)
-- Returns: {EXTENDED, 1 if the task is to be cancelled, now ms} or {STALE}
-- Atomic: The deadline moves or nothing does.
-- Repeat: Begins the visibility anew.
-- Time: TIME, once.
-- Cost: O(log n).
local id, time = ARGV[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local st, held, flag = string.match(redis.call('HGET', KEYS[1], id) or '',
  '^(%a)|%d|%d+|([^|]*)|[^|]*|%d+|(%d)|')
if st ~= 'I' or held ~= ARGV[2] then return {'STALE'} end
redis.call('ZREM', KEYS[2], id)
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3]), id)
return {'EXTENDED', tonumber(flag), string.format('%.0f', now)}
