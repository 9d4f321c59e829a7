-- Purpose: Removes the consumers of instances that are gone, once nothing is pending with them.
-- KEYS: 1 instanceMembers (hash), 2 taskStream (stream)
-- ARGV: none
-- Returns: {RETIRED, consumers removed, consumers left}
-- Atomic: That nothing is pending is judged in the step that removes: a removal drops what is pending.
-- Repeat: Finds nothing to remove. A consumer that was removed while its instance lives comes back by itself.
-- Time: none.
-- Cost: O(consumers).
local members, stream = KEYS[1], KEYS[2]
local all = redis.pcall('XINFO', 'CONSUMERS', stream, 'soloist')
if all.err then return {'RETIRED', 0, 0} end
local removed = 0
for _, row in ipairs(all) do
  local consumer = {}
  for i = 1, #row, 2 do consumer[row[i]] = row[i + 1] end
  if consumer.pending == 0 and not redis.call('HGET', members, consumer.name) then
    -- Nothing is removed here; it is a write that needs no memory, so that a full server takes the next one.
    redis.call('HDEL', members, '')
    redis.call('XGROUP', 'DELCONSUMER', stream, 'soloist', consumer.name)
    removed = removed + 1
  end
end
return {'RETIRED', removed, #all - removed}
