-- Purpose: Gives a dead task a new life: due now, no attempt counted.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 dead (zset), 4 readyList 0 (list), 5 readyList 1 (list), 6 readyList 2
--   (list)
-- ARGV: 1 task id (bytes), 2 wake channel (text)
-- Returns: {REQUEUED} or {NOT_DEAD}
-- Atomic: The task is dead or ready, never both.
-- Repeat: NOT_DEAD.
-- Time: TIME, once.
-- Cost: O(log n).
local attempts, id, time = KEYS[2], ARGV[1], redis.call('TIME')
local ready = {KEYS[4], KEYS[5], KEYS[6]}
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local prio, reqs, err = string.match(redis.call('HGET', attempts, id) or '',
  '^D|(%d)|%d+|[^|]*|[^|]*|%d+|%d|([^|]*)|(.*)$')
if not prio or not redis.call('HGET', KEYS[1], id) then return {'NOT_DEAD'} end
redis.call('LLEN', ready[prio + 1])
redis.call('ZREM', KEYS[3], id)
redis.call('HSET', attempts, id, table.concat({'P', prio, 0, '', '', string.format('%.0f', now), 0, reqs, err}, '|'))
redis.call('RPUSH', ready[prio + 1], prio .. id)
redis.call('PUBLISH', ARGV[2], 'ready')
return {'REQUEUED'}
