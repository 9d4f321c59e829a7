-- Purpose: Move the end of a living lease to its whole time from now.
-- KEYS: 1 leases (hash), 2 leaseEnds (zset)
-- ARGV: 1 member (text), 2 pod UID (text), 3 sequence (number)
-- Returns: OK remaining now · REVOKED remaining (it ends then, and not later) · LOST (over, given back, or somebody else's)
-- Atomic: compared and written in one step; a lease that is over is never renewed.
-- Repeat: the end is set anew.
-- Time: TIME once
-- Cost: O(log n)
local leases, ends, member, uid, wanted = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
if not tonumber(wanted) or uid == '' then return redis.error_reply('SOLOIST_ARGS renew') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

local owner, nonce, seq, last, pod, since, ttl, revoked = string.match(redis.call('HGET', leases, member) or '',
  '^([^|]*)|([^|]*)|(%d+)|(%d+)|([^|]*)|(%d+)|(%d+)|(%d)$')
if owner ~= uid or seq ~= wanted or tonumber(last) <= now then return {'LOST'} end
if revoked == '1' then return {'REVOKED', text(last - now)} end
redis.call('HDEL', leases, '-') -- a first write that needs no memory lets the rest pass on a full server
redis.call('HSET', leases, member, table.concat({owner, nonce, seq, text(now + ttl), pod, since, ttl, '0'}, '|'))
redis.call('ZADD', ends, text(now + ttl), member)
return {'OK', ttl, text(now)}
