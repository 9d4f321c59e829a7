-- Purpose: Counts the tasks of a queue and finds the oldest due that nobody has taken.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 dead (zset), 5 readyList 0 (list), 6 readyList 1
--   (list), 7 readyList 2 (list), 8.. segments (zset)
-- ARGV: none
-- Returns: {COUNTS, recorded, in flight, dead, ready hints, earliest untaken due ms or nil, now ms}
-- Atomic: One moment's view; hints may be stale, so ready may be too high until they are judged.
-- Repeat: Reads only.
-- Time: TIME, once.
-- Cost: O(segments).
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local hints, first = 0, nil
local function earliest(due) first = due and math.min(first or due, tonumber(due)) or first end
for _, list in ipairs({KEYS[5], KEYS[6], KEYS[7]}) do
  hints = hints + redis.call('LLEN', list)
  local hint = redis.call('LRANGE', list, 0, 0)[1]
  if hint then
    local id = string.sub(hint, 2)
    local record = redis.call('HGET', KEYS[2], id)
    if record then
      earliest(string.match(record, '^P|%d|%d+|[^|]*|[^|]*|(%d+)|'))
    else
      earliest(string.match(redis.call('HGET', KEYS[1], id) or '', '^%d|(%d+)|'))
    end
  end
end
for i = 8, #KEYS do earliest(redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]) end
return {'COUNTS', redis.call('HLEN', KEYS[1]), redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4]), hints,
  first and string.format('%.0f', first) or false, string.format('%.0f', now)}
