-- Purpose: Strikes an adopted segment from its owner's list once it is empty.
-- KEYS: 1 instanceMembers (hash), 2 segment (zset)
-- ARGV: 1 owner (instance), 2 name of the segment (text)
-- Returns: {DROPPED} or {KEPT}: not empty, not the owner's, or the owner's own
-- Atomic: Emptiness is judged in the same step; nobody adds to a segment that is not named after itself.
-- Repeat: KEPT.
-- Time: none.
-- Cost: O(segments of the owner).
local members, inst, name = KEYS[1], ARGV[1], ARGV[2]
local head, segments = string.match(redis.call('HGET', members, inst) or '', '^(%u+|[^|]*|)(.*)$')
if not head or name == inst or redis.call('ZCARD', KEYS[2]) > 0 then return {'KEPT'} end
local kept, dropped = {}, false
for segment in string.gmatch(segments, '[^,]+') do
  if segment == name then dropped = true else kept[#kept + 1] = segment end
end
if not dropped then return {'KEPT'} end
-- Nothing is removed here; it is a write that needs no memory, so that a full server takes the next one.
redis.call('HDEL', members, '')
redis.call('HSET', members, inst, head .. table.concat(kept, ','))
return {'DROPPED'}
