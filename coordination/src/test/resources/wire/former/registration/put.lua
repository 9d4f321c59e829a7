-- Purpose: write one entry of a namespace's board, and tell listeners when it changed.
-- KEYS: 1 jobs or assignments (hash)
-- ARGV: 1 field (job name or pod UID), 2 value (JSON), 3 channel (registrationWake)
-- Returns: {CHANGED} written | {SAME} the entry was the same already
-- Atomic: comparison, write and hint are one step; listeners read the board themselves.
-- Repeat: the second time answers SAME and sends no hint.
-- Time: none
-- Cost: O(1)
local board, field, value, channel = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

if redis.call('HGET', board, field) == value then
  return {'SAME'}
end
redis.call('HDEL', board, field)
redis.call('HSET', board, field, value)
redis.call('PUBLISH', channel, field)
return {'CHANGED'}
