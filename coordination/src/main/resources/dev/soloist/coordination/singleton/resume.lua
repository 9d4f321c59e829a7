-- Purpose: Let a suspended job run again, from the slot the caller names.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset)
-- ARGV: 1 due (ms), 2 wake channel (text)
-- Returns: OK state (DELAYED when it was paused; every other state is left as it is, a noted wish is taken back)
-- Atomic: the token comes with the state; the generation rises. What paused only because it was to move keeps its plan.
-- Repeat: no further effect.
-- Time: none
-- Cost: O(1)
local rec, rdy, dly, due, wake = KEYS[1], KEYS[2], KEYS[3], tonumber(ARGV[1]), ARGV[2]
if not due then return redis.error_reply('SOLOIST_ARGS resume') end
local function text(n) return string.format('%.0f', n) end

local st, gen, oldDue, nb, cool, slot, att, leaving =
  unpack(redis.call('HMGET', rec, 'st', 'gen', 'due', 'nb', 'cool', 'slot', 'att', 'leaving'))
if leaving then redis.call('HDEL', rec, 'leaving') end
if st == 'RUNNING' then redis.call('HDEL', rec, 'paused') end
if st ~= 'PAUSED' then return {'OK', st or 'ABSENT'} end
if leaving then
  due = tonumber(oldDue) or due
else
  slot, att = text(due), '0'
  redis.call('HDEL', rec, 'hand') -- what was owed is another slot
end
-- A hold until the next run moves with that run; a cooldown stays.
nb = math.max(nb == oldDue and due or tonumber(nb) or 0, tonumber(cool) or 0)
gen = text((tonumber(gen) or 0) + 1)
redis.call('DEL', rdy, dly)
redis.call('HSET', rec, 'st', 'DELAYED', 'gen', gen, 'due', text(due), 'nb', text(nb), 'slot', slot or text(due),
  'att', att or '0')
redis.call('ZADD', dly, text(math.max(due, nb)), gen)
redis.call('PUBLISH', wake, 'delayed')
return {'OK', 'DELAYED'}
