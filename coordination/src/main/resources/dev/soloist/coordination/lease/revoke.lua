-- Purpose: Refuse a lease every further renewal; until its end it stays its holder's, who cannot know yet.
-- KEYS: 1 leases (hash)
-- ARGV: 1 member (text), 2 sequence (number)
-- Returns: REVOKED pod remaining · GONE (no lease of this sequence lives any more)
-- Atomic: only the very grant that is meant is marked.
-- Repeat: answers the same with less remaining.
-- Time: TIME once
-- Cost: O(1)
local leases, member, wanted = KEYS[1], ARGV[1], ARGV[2]
if not tonumber(wanted) then return redis.error_reply('SOLOIST_ARGS revoke') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local owner, nonce, seq, last, pod, since, ttl = string.match(redis.call('HGET', leases, member) or '',
  '^([^|]*)|([^|]*)|(%d+)|(%d+)|([^|]*)|(%d+)|(%d+)|%d$')
if seq ~= wanted or tonumber(last) <= now then return {'GONE'} end
redis.call('HDEL', leases, '-') -- a first write that needs no memory lets the rest pass on a full server
redis.call('HSET', leases, member, table.concat({owner, nonce, seq, last, pod, since, ttl, '1'}, '|'))
return {'REVOKED', pod, string.format('%.0f', last - now)}
