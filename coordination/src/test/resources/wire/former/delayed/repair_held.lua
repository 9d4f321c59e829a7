-- Purpose: Brings the in-flight and dead indexes back in step with one page of attempt records, after damage by hand.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 dead (zset)
-- ARGV: 1 cursor (0 to begin), 2 visibility for a task without deadline (ms)
-- Returns: {REPAIRED, next cursor or 0 at the end, deadlines restored, dead entries restored, records without a task
--   removed}
-- Atomic: Each id is judged and mended in one step.
-- Repeat: Finds nothing to mend.
-- Time: TIME, once.
-- Cost: O(page log n), about 100 records.
local tasks, attempts, inFlight, dead = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local page = redis.call('HSCAN', attempts, ARGV[1], 'COUNT', 100)
local restored, entombed, removed = 0, 0, 0
for i = 1, #page[2], 2 do
  local id, st = page[2][i], string.sub(page[2][i + 1], 1, 1)
  if redis.call('HEXISTS', tasks, id) == 0 then
    redis.call('HDEL', attempts, id)
    redis.call('ZREM', inFlight, id)
    redis.call('ZREM', dead, id)
    removed = removed + 1
  elseif st == 'I' and not redis.call('ZSCORE', inFlight, id) then
    redis.call('ZREM', inFlight, id)
    redis.call('ZADD', inFlight, string.format('%.0f', now + ARGV[2]), id)
    restored = restored + 1
  elseif st == 'D' and not redis.call('ZSCORE', dead, id) then
    redis.call('ZREM', dead, id)
    redis.call('ZADD', dead, string.format('%.0f', now), id)
    entombed = entombed + 1
  end
end
return {'REPAIRED', page[1], restored, entombed, removed}
