-- Purpose: Forgets finished ids whose retention is over, dead tasks that are too old or too many, and deduplication keys
--   that nothing holds any more.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 done (hash), 4 doneExpiry (zset), 5 dead (zset), 6 deduplication (hash), 7
--   deduplicationExpiry (zset)
-- ARGV: 1 greatest age of a dead task (ms), 2 most dead tasks (number), 3 most to forget of them (up to
--   100)
-- Returns: {PURGED, finished ids, dead tasks, keys looked at}
-- Atomic: A dead task goes with its record. A key whose task still lives is looked at again after a minute.
-- Repeat: Purges the next batch.
-- Time: TIME, once.
-- Cost: O(log n): at most 100 finished ids, as many dead tasks as said and 100 keys per call.
local time, dead = redis.call('TIME'), KEYS[5]
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local over = redis.call('ZRANGE', KEYS[4], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, 100)
local old = redis.call('ZRANGE', dead, '-inf', string.format('%.0f', now - ARGV[1]), 'BYSCORE', 'LIMIT', 0, ARGV[3])
local excess = math.min(redis.call('ZCARD', dead) - ARGV[2], tonumber(ARGV[3]))
if excess > #old then old = redis.call('ZRANGE', dead, 0, excess - 1) end
if #over > 0 then
  redis.call('ZREM', KEYS[4], unpack(over))
  redis.call('HDEL', KEYS[3], unpack(over))
end
if #old > 0 then
  redis.call('ZREM', dead, unpack(old))
  redis.call('HDEL', KEYS[1], unpack(old))
  redis.call('HDEL', KEYS[2], unpack(old))
end
local keys = KEYS[6]
if #old > 0 and redis.call('HLEN', keys) > 0 then
  for _, id in ipairs(old) do redis.call('HDEL', keys, 't' .. id) end
end
local looked = redis.call('ZRANGE', KEYS[7], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, 100)
for _, key in ipairs(looked) do
  redis.call('ZREM', KEYS[7], key)
  local how, by = string.match(redis.call('HGET', keys, 'k' .. key) or '', '^(%a)|%d+|%d+|(.*)$')
  local own = by and redis.call('HGET', keys, 't' .. by)
  if how == 'P' and redis.call('HEXISTS', KEYS[1], by) == 1 and (own or by) == key then
    redis.call('ZADD', KEYS[7], string.format('%.0f', now + 60000), key)
  else
    redis.call('HDEL', keys, 'k' .. key)
    if own == key then redis.call('HDEL', keys, 't' .. by) end
  end
end
return {'PURGED', #over, #old, #looked}
