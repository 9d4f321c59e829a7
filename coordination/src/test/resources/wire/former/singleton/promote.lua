-- Purpose: Make a delayed slot whose moment has come READY and wake the pods.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset)
-- ARGV: 1 wake channel (text)
-- Returns: PROMOTED · NO state wait (ms until due; -1 when no passing of time makes it ready)
-- Atomic: the token moves with the state.
-- Repeat: the second call answers NO READY.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, wake = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local st, gen, due, nb = unpack(redis.call('HMGET', rec, 'st', 'gen', 'due', 'nb'))
if st ~= 'DELAYED' then return {'NO', st or 'ABSENT', '-1'} end
local at = math.max(tonumber(due) or 0, tonumber(nb) or 0)
if at > now then return {'NO', st, string.format('%.0f', at - now)} end
redis.call('DEL', rdy, dly)
redis.call('HSET', rec, 'st', 'READY')
redis.call('RPUSH', rdy, gen)
redis.call('PUBLISH', wake, 'ready')
return {'PROMOTED'}
