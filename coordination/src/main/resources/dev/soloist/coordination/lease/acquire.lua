-- Purpose: Give a named lease of a namespace to one pod, with an end and a fence above all earlier ones.
-- KEYS: 1 leases (hash), 2 leaseEnds (zset), 3 leaseFence (string)
-- ARGV: 1 member (text), 2 pod UID (text), 3 pod (text), 4 nonce (text), 5 ttl (ms), 6 most leases of the namespace (number)
-- Returns: OK sequence remaining now repeated(0|1) · HELD pod sequence remaining revoked(0|1) · FULL
-- Atomic: owner, end and fence change together. The record decides, also where its entry in leaseEnds is lost.
-- Repeat: the same nonce gets the same fence while its lease lives, with the end set anew.
-- Time: TIME once
-- Cost: O(log n), at most 16 leases that are over are removed
local leases, ends, counter = KEYS[1], KEYS[2], KEYS[3]
local member, uid, pod, nonce, ttl, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if not (ttl and ttl > 0 and most) or member == '' or uid == '' or nonce == '' then
  return redis.error_reply('SOLOIST_ARGS acquire')
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

local owner, its, seq, last, holder, since, _, revoked = string.match(redis.call('HGET', leases, member) or '',
  '^([^|]*)|([^|]*)|(%d+)|(%d+)|([^|]*)|(%d+)|(%d+)|(%d)$')
local lives = owner and tonumber(last) > now
local same = lives and owner == uid and its == nonce and revoked == '0'
if lives and not same then return {'HELD', holder, seq, text(last - now), revoked} end
if not lives then
  for _, over in ipairs(redis.call('ZRANGE', ends, '-inf', text(now), 'BYSCORE', 'LIMIT', '0', '16')) do
    redis.call('ZREM', ends, over)
    redis.call('HDEL', leases, over)
  end
  if redis.call('ZCARD', ends) >= most then return {'FULL'} end
  -- Microseconds: a clock in ms falls behind a counter that rises faster, and after a flush the fence would fall.
  seq, since = text(math.max((tonumber(redis.call('GET', counter)) or 0) + 1, t[1] * 1000000 + t[2])), text(now)
end
redis.call('HDEL', leases, '-') -- a first write that needs no memory lets the rest pass on a full server
if not lives then redis.call('SET', counter, seq) end
redis.call('HSET', leases, member, table.concat({uid, nonce, seq, text(now + ttl), pod, since, text(ttl), '0'}, '|'))
redis.call('ZADD', ends, text(now + ttl), member)
return {'OK', seq, text(ttl), text(now), same and '1' or '0'}
