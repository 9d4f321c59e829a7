-- Purpose: Start no further run; a run in progress goes on to its end.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset)
-- ARGV: none
-- Returns: OK state (PAUSED; RUNNING with the wish noted; DELETED or ABSENT: nothing done)
-- Atomic: the token goes with the state.
-- Repeat: no further effect.
-- Time: none
-- Cost: O(1)
local rec, rdy, dly = KEYS[1], KEYS[2], KEYS[3]

local st = redis.call('HGET', rec, 'st')
redis.call('HDEL', rec, 'leaving') -- from now on it pauses by a wish
if st == 'RUNNING' then
  redis.call('HDEL', rec, 'trig') -- a suspended job does not run once more on an earlier request
  redis.call('HSET', rec, 'paused', '1')
elseif st == 'DELAYED' or st == 'READY' then
  redis.call('DEL', rdy, dly)
  redis.call('HSET', rec, 'st', 'PAUSED')
  st = 'PAUSED'
end
return {'OK', st or 'ABSENT'}
