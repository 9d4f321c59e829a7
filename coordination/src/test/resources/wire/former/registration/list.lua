-- Purpose: read a namespace's whole board of pods or of jobs.
-- KEYS: 1 jobs or assignments (hash)
-- ARGV: none
-- Returns: {OK, field, value, field, value, ...}
-- Atomic: all entries are of one moment.
-- Repeat: reads only.
-- Time: none
-- Cost: O(entries)
local board = KEYS[1]

local reply = {'OK'}
for _, element in ipairs(redis.call('HGETALL', board)) do
  reply[#reply + 1] = element
end
return reply
