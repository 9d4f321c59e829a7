-- Purpose: Try, on keys that nobody else uses, what the other scripts rely on.
-- KEYS: 1 text (string), 2 scores (zset)
-- ARGV: none
-- Returns: OK remaining (ms of PX 1500) refused (0|1: SET NX left the value) kept (0|1: ZADD NX left the score)
-- Atomic: nobody sees the keys; they are gone at its end, and would be at an error by their expiry.
-- Repeat: no further effect.
-- Time: TIME once, before the writes, as all scripts do
-- Cost: O(1)
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SET', KEYS[1], '1', 'NX', 'PXAT', text(now + 1500))
local remaining = redis.call('PTTL', KEYS[1])
local refused = redis.call('SET', KEYS[1], '2', 'NX') == false
redis.call('ZADD', KEYS[2], 'NX', '1', 'm')
redis.call('PEXPIRE', KEYS[2], '1500')
redis.call('ZADD', KEYS[2], 'NX', '2', 'm')
local kept = redis.call('ZSCORE', KEYS[2], 'm') == '1'
redis.call('DEL', KEYS[1], KEYS[2])
return {'OK', text(remaining), refused and '1' or '0', kept and '1' or '0'}
