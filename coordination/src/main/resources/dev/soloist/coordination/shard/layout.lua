-- Purpose: Reads how a job's tasks are spread over shards, and writes it anew if it still is as the caller believes.
-- KEYS: 1 layout (string)
-- ARGV: 1 what it is to be, empty to read only (text), 2 what the caller believes it to be, empty for absent (text)
-- Returns: {LAYOUT, the text that counts now, empty if there is none}
-- Atomic: Comparison and write are one step.
-- Repeat: The second time it finds what it wrote, and answers it.
-- Time: none
-- Cost: O(1)
local layout, new, believed = KEYS[1], ARGV[1], ARGV[2]
local now = redis.call('GET', layout) or ''
if new ~= '' and now == believed then
  redis.call('DEL', layout)
  redis.call('SET', layout, new)
  now = new
end
return {'LAYOUT', now}
