-- Purpose: Gives one page of finished ids the end of their retention back, after damage by hand.
-- KEYS: 1 done (hash), 2 doneExpiry (zset)
-- ARGV: 1 cursor (0 to begin), 2 retention of an id without an end (ms)
-- Returns: {REPAIRED, next cursor or 0 at the end, ends restored}
-- Atomic: Each id is judged and mended in one step.
-- Repeat: Finds nothing to mend.
-- Time: TIME, once.
-- Cost: O(page log n), about 100 ids.
local done, expiry, time = KEYS[1], KEYS[2], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local page = redis.call('HSCAN', done, ARGV[1], 'COUNT', 100)
local restored = 0
for i = 1, #page[2], 2 do
  local id = page[2][i]
  if not redis.call('ZSCORE', expiry, id) then
    redis.call('ZREM', expiry, id)
    redis.call('ZADD', expiry, string.format('%.0f', now + ARGV[2]), id)
    restored = restored + 1
  end
end
return {'REPAIRED', page[1], restored}
