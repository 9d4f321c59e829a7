-- Purpose: Ends an instance's right to enqueue and reserve, on evidence that it is gone.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash)
-- ARGV: 1 instance (text), 2 LEASE_OVER or TERMINATED (word), 3 grace after the lease (ms), 4 wake channel (text)
-- Returns: {FENCED}, {ALREADY}, {GONE}, or {STILL_ALIVE, ms until lease and grace are over}
-- Atomic: Lease end and state are judged in one step: a heartbeat that came in between makes it fail.
-- Repeat: ALREADY, or GONE once adopted.
-- Time: TIME, once, for LEASE_OVER.
-- Cost: O(log instances).
local leases, inst, time = KEYS[1], ARGV[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state, rest = string.match(redis.call('HGET', KEYS[2], inst) or '', '^(%u+)(|.*)$')
if not state then return {'GONE'} end
if state == 'FENCED' then return {'ALREADY'} end
local over = (redis.call('ZSCORE', leases, inst) or 0) + ARGV[3]
if ARGV[2] ~= 'TERMINATED' and over >= now then return {'STILL_ALIVE', string.format('%.0f', over - now)} end
redis.call('ZREM', leases, inst)
redis.call('ZADD', leases, 0, inst)
redis.call('HSET', KEYS[2], inst, 'FENCED' .. rest)
redis.call('PUBLISH', ARGV[4], 'fenced')
return {'FENCED'}
