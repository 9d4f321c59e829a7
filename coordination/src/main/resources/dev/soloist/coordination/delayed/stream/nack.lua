-- Purpose: Takes the entry of a task that nack gives back out of the stream: it is not handled; goes around nack.
-- KEYS: 1 taskStream (stream), 2 streamEntries (hash)
-- ARGV: 1 instance (text), 2 task id (bytes)
-- Returns: nack's own reply
-- Atomic: A task is pending in the group or where nack's answer says.
-- Repeat: As nack.
-- Time: none of its own.
-- Cost: O(log n).
local stream, entries, _, id = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
-- A key of a wrong type has to fail here, before the first write: there is no roll-back.
redis.call('XLEN', stream)
redis.call('HLEN', entries)
local reply = base()
if reply[1] == 'STALE' or reply[1] == 'REPEATED' then return reply end
local entry = string.match(redis.call('HGET', entries, 'i' .. id) or '', '^([^|]*)|')
if entry then
  redis.call('XACK', stream, 'soloist', entry)
  redis.call('XDEL', stream, entry)
  redis.call('HDEL', entries, 'i' .. id, 'e' .. entry)
end
return reply
