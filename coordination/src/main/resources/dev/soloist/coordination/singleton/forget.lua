-- Purpose: Forget in a job's former place what it has taken along to the new one.
-- KEYS: 1 record (hash), 2 history (list), 3 log (stream)
-- ARGV: 1 uid (text), 2 gen (number, of the move that is meant)
-- Returns: FORGOTTEN · OTHER (a later move, or no such; nothing done)
-- Atomic: of the record the bare tombstone stays, which keeps generation, term and fences for 30 days.
-- Repeat: OTHER; no further effect.
-- Time: none
-- Cost: O(log)
local rec, hist, events, uid, meant = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
if uid == '' or meant == '' then return redis.error_reply('SOLOIST_ARGS forget') end

local st, gen, was, term, fence, last, moved =
  unpack(redis.call('HMGET', rec, 'st', 'gen', 'uid', 'term', 'fence', 'lastFence', 'moved'))
if st ~= 'DELETED' or was ~= 'moved:' .. uid or gen ~= meant or not moved then return {'OTHER'} end
redis.call('DEL', rec, hist, events)
redis.call('HSET', rec, 'st', 'DELETED', 'gen', gen, 'uid', was, 'term', term or '0', 'fence', fence or '0', 'lastFence',
  last or '0')
redis.call('PEXPIRE', rec, '2592000000') -- 30 d: longer than any old run or lagging operator
return {'FORGOTTEN'}
