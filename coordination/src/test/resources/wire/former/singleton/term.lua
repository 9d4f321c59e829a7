-- Purpose: Raise the term that the next claims carry; a run in progress keeps the term of its own claim.
-- KEYS: 1 record (hash)
-- ARGV: 1 term (number)
-- Returns: OK term (the record's, never lower than before) · ABSENT (no record; nothing written)
-- Atomic: one field. Raising the counter in the cluster first is left to the caller.
-- Repeat: no further effect.
-- Time: none
-- Cost: O(1)
local rec, term = KEYS[1], tonumber(ARGV[1])
if not term then return redis.error_reply('SOLOIST_ARGS term') end

local now = redis.call('HGET', rec, 'term')
if not now then return {'ABSENT'} end
term = string.format('%.0f', math.max(term, tonumber(now) or 0))
redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
redis.call('HSET', rec, 'term', term)
return {'OK', term}
