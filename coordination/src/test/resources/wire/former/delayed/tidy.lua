-- Purpose: Removes the segment entry that a cancelled task left behind.
-- KEYS: 1 tasks (hash), 2 segment (zset)
-- ARGV: 1 member (priority digit and task id)
-- Returns: {TIDIED} or {LIVES}: the id was enqueued again meanwhile and the entry may be its own
-- Atomic: Judged and removed in one step, so a new life of the id never loses its entry.
-- Repeat: Harmless. Not calling it is harmless too: reserve drops the hint.
-- Time: none.
-- Cost: O(log n).
if redis.call('HGET', KEYS[1], string.sub(ARGV[1], 2)) then return {'LIVES'} end
redis.call('ZREM', KEYS[2], ARGV[1])
return {'TIDIED'}
