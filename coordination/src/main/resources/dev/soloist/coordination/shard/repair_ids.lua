-- Purpose: Names the ids of one page of a hash of tasks, without their payloads.
-- KEYS: 1 tasks or done (hash)
-- ARGV: 1 cursor (text)
-- Returns: {PAGE, next cursor (0 at the end), {id...}}
-- Atomic: A page is of one moment; the walk is not.
-- Repeat: Reads only.
-- Time: none
-- Cost: O(100).
local page = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', '100')
local ids = {}
for i = 1, #page[2], 2 do ids[#ids + 1] = page[2][i] end
return {'PAGE', page[1], ids}
