-- Purpose: Withdraws a task that nobody holds, or asks the holder to stop.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 done (hash), 4 doneExpiry (zset), 5 dead (zset), 6
--   deduplication (hash)
-- ARGV: 1 task id (bytes), 2 retention (ms), 3 ANY or DEAD (word: whatever it is, or only a dead letter)
-- Returns: {CANCELLED, member, segment that may still hold it}, {IN_FLIGHT}, {DONE} or {NOT_FOUND}; of a task that is
--   not dead where only a dead one is meant, {NOT_FOUND}
-- Atomic: The record is gone, so no entry left in a segment or list can bring the task back, and its deduplication key is
--   free.
-- Repeat: CANCELLED while the id is remembered, else NOT_FOUND.
-- Time: TIME, once.
-- Cost: O(log n).
local tasks, attempts, id = KEYS[1], KEYS[2], ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = redis.call('HGET', tasks, id)
if not value then
  local how = string.sub(redis.call('HGET', KEYS[3], id) or '', 1, 1)
  return how == 'C' and {'CANCELLED', '', ''} or {how == 'D' and 'DONE' or 'NOT_FOUND'}
end
local prio, due, reqs, seg = string.match(value, '^(%d)|(%d+)|([^|]*)|([^|]*)|')
local att, held = 0, ''
local record = redis.call('HGET', attempts, id)
if record then
  local st, head, tail
  st, att, held, seg, due, reqs = string.match(record, '^(%a)|%d|(%d+)|([^|]*)|([^|]*)|(%d+)|%d|([^|]*)|')
  if ARGV[3] == 'DEAD' and st ~= 'D' then return {'NOT_FOUND'} end
  if st == 'I' then
    head, tail = string.match(record, '^(%a|%d|%d+|[^|]*|[^|]*|%d+|)%d(|.*)$')
    redis.call('HDEL', attempts, id)
    redis.call('HSET', attempts, id, head .. '1' .. tail)
    return {'IN_FLIGHT'}
  end
elseif ARGV[3] == 'DEAD' then
  return {'NOT_FOUND'}
end
redis.call('ZCARD', KEYS[4])
redis.call('ZREM', KEYS[5], id)
redis.call('HDEL', tasks, id)
redis.call('HDEL', attempts, id)
redis.call('HDEL', KEYS[6], 't' .. id)
if tonumber(ARGV[2]) > 0 then
  redis.call('HSET', KEYS[3], id, table.concat({'C', due, att, held, reqs}, '|'))
  redis.call('ZADD', KEYS[4], string.format('%.0f', now + ARGV[2]), id)
end
return {'CANCELLED', prio .. id, seg}
