-- Purpose: take one entry off a namespace's board, and tell listeners.
-- KEYS: 1 jobs or assignments (hash)
-- ARGV: 1 field (job name or pod UID), 2 channel (registrationWake)
-- Returns: {REMOVED} it was there | {NONE} it was not
-- Atomic: removal and hint are one step; listeners read the board themselves.
-- Repeat: the second time answers NONE and sends no hint.
-- Time: none
-- Cost: O(1)
local board, field, channel = KEYS[1], ARGV[1], ARGV[2]

if redis.call('HDEL', board, field) == 0 then
  return {'NONE'}
end
redis.call('PUBLISH', channel, field)
return {'REMOVED'}
