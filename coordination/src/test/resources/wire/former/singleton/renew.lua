-- Purpose: Move the end of a lease that still lives, and tell its holder whether the run is to be cancelled.
-- KEYS: 1 record (hash), 2 lock (string)
-- ARGV: 1 instance (text), 2 nonce (text), 3 ttl (ms)
-- Returns: OK remaining cancel(0|1) · LOST RECORD (another run or none) · LOST LEASE (lapsed: never renewed)
-- Atomic: lock and record get the same end.
-- Repeat: sets the lease anew; always writes, so that WAIT after it counts.
-- Time: TIME once
-- Cost: O(1)
local rec, lock, inst, nonce, ttl = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])
if not (ttl and ttl > 0) or inst == '' or nonce == '' then return redis.error_reply('SOLOIST_ARGS renew') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local st, owner, its, fence, lu, cancel =
  unpack(redis.call('HMGET', rec, 'st', 'owner', 'nonce', 'fence', 'lu', 'cancel'))
if st ~= 'RUNNING' or owner ~= inst or its ~= nonce then return {'LOST', 'RECORD'} end
if redis.call('GET', lock) ~= inst .. '|' .. nonce .. '|' .. fence or (tonumber(lu) or 0) <= now then
  return {'LOST', 'LEASE'}
end
redis.call('PEXPIRE', lock, string.format('%.0f', ttl))
redis.call('HSET', rec, 'lu', string.format('%.0f', now + ttl))
return {'OK', string.format('%.0f', ttl), cancel == fence and '1' or '0'} -- bound to a fence: never hits the next run
