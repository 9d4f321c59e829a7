-- Purpose: Gives a dead task a new life: due now, no attempt counted.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 dead (zset), 4 readyList 0 (list), 5 readyList 1 (list), 6 readyList 2
--   (list), 7 deduplication (hash), 8 deduplicationExpiry (zset)
-- ARGV: 1 task id (bytes), 2 wake channel (text)
-- Returns: {REQUEUED} or {NOT_DEAD} · {KEY_TAKEN, id of the task that has its deduplication key}; nothing was written
-- Atomic: The task is dead or ready, never both, and as a ready one it has its key.
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
redis.call('ZCARD', KEYS[8])
local keys = KEYS[7]
local key = redis.call('HGET', keys, 't' .. id) or id
local how, till, due, by = string.match(redis.call('HGET', keys, 'k' .. key) or 'P|0|0|' .. key, '^(%a)|(%d+)|(%d+)|(.*)$')
if by ~= id then
  local living = how == 'P' and redis.call('HEXISTS', KEYS[1], by) == 1 and (redis.call('HGET', keys, 't' .. by) or by) == key
    and string.sub(redis.call('HGET', attempts, by) or 'P', 1, 1) ~= 'D'
  if living or (how == 'S' and tonumber(till) > now) then return {'KEY_TAKEN', by} end
end
redis.call('ZREM', KEYS[3], id)
if by ~= id then
  if redis.call('HEXISTS', KEYS[1], by) == 0 then redis.call('HDEL', keys, 't' .. by) end
  redis.call('HSET', keys, 'k' .. key, table.concat({'P', string.format('%.0f', now), due, id}, '|'))
  redis.call('ZADD', KEYS[8], string.format('%.0f', now), key)
end
redis.call('HSET', attempts, id, table.concat({'P', prio, 0, '', '', string.format('%.0f', now), 0, reqs, err}, '|'))
redis.call('RPUSH', ready[prio + 1], prio .. id)
redis.call('PUBLISH', ARGV[2], 'ready')
return {'REQUEUED'}
