-- Purpose: Renews an active instance's lease and tells it which segments it has to move.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash)
-- ARGV: 1 instance (text), 2 lease (ms)
-- Returns: {ALIVE, now ms, segments joined by commas} or {FENCED}: also when Redis does not know the instance any
--   more
-- Atomic: The lease moves or nothing does.
-- Repeat: Renews again.
-- Time: TIME, once.
-- Cost: O(log instances).
local inst, time = ARGV[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local segments = string.match(redis.call('HGET', KEYS[2], inst) or '', '^ACTIVE|[^|]*|(.*)$')
if not segments then return {'FENCED'} end
redis.call('ZREM', KEYS[1], inst)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), inst)
return {'ALIVE', string.format('%.0f', now), segments}
