-- Purpose: Give a lease back before its end.
-- KEYS: 1 leases (hash), 2 leaseEnds (zset)
-- ARGV: 1 member (text), 2 pod UID (text), 3 sequence (number)
-- Returns: RELEASED · GONE (no lease of this sequence lives any more) · FOREIGN remaining (it lives, and is another pod's)
-- Atomic: only the very grant that is meant can go.
-- Repeat: GONE.
-- Time: TIME once
-- Cost: O(log n)
local leases, ends, member, uid, wanted = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
if not tonumber(wanted) or uid == '' then return redis.error_reply('SOLOIST_ARGS release') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local owner, seq, last = string.match(redis.call('HGET', leases, member) or '',
  '^([^|]*)|[^|]*|(%d+)|(%d+)|[^|]*|%d+|%d+|%d$')
if seq ~= wanted or tonumber(last) <= now then return {'GONE'} end
if owner ~= uid then return {'FOREIGN', string.format('%.0f', last - now)} end
redis.call('ZREM', ends, member)
redis.call('HDEL', leases, member)
return {'RELEASED'}
