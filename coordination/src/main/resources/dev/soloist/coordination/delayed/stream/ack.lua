-- Purpose: Ends the entries of the tasks that ack ends, and leaves them in the stream as its history; goes around ack.
-- KEYS: 1 taskStream (stream), 2 streamEntries (hash)
-- ARGV: 1 retention (ms), 2.. pairs of task id and receipt (bytes)
-- Returns: ack's own reply
-- Atomic: A task's record and its pending entry end together.
-- Repeat: As ack; the entry is ended once.
-- Time: none of its own.
-- Cost: O(batch).
local stream, entries, first = KEYS[1], KEYS[2], ARGV[1] and 2
-- A key of a wrong type has to fail here, before the first write: there is no roll-back.
redis.call('XLEN', stream)
redis.call('HLEN', entries)
local reply = base()
for i = 2, #reply do
  if reply[i] == 'ACKED' then
    local at = first + 2 * (i - 2)
    local link, receipt = 'i' .. ARGV[at], ARGV[at + 1]
    local entry, held = string.match(redis.call('HGET', entries, link) or '', '^([^|]*)|(.*)$')
    if entry then
      redis.call('XACK', stream, 'soloist', entry)
      redis.call('HDEL', entries, link, 'e' .. entry)
      if held ~= receipt then redis.call('XDEL', stream, entry) end
    end
  end
end
return reply
