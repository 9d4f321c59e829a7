-- Purpose: Lets an instance resign, so that any other can adopt its segments at once.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash)
-- ARGV: 1 instance (text), 2 wake channel (text)
-- Returns: {LEFT} or {GONE}
-- Atomic: State and lease change together; no task is touched.
-- Repeat: LEFT, or GONE once adopted.
-- Time: none.
-- Cost: O(log instances).
local leases, inst = KEYS[1], ARGV[1]
local rest = string.match(redis.call('HGET', KEYS[2], inst) or '', '^%u+(|.*)$')
if not rest then return {'GONE'} end
redis.call('ZREM', leases, inst)
redis.call('ZADD', leases, 0, inst)
redis.call('HSET', KEYS[2], inst, 'FENCED' .. rest)
redis.call('PUBLISH', ARGV[2], 'left')
return {'LEFT'}
