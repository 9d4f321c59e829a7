-- Purpose: Reads one task.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 done (hash), 5 dead (zset)
-- ARGV: 1 task id (bytes)
-- Returns: {DELAYED READY IN_FLIGHT or DEAD, due ms, attempts, last error, holder or empty, visibility deadline ms or
--   nil, 1 if to be cancelled, enqueued ms, content type, payload, priority, died ms
--   or nil} · {DONE or CANCELLED, due ms, attempts} · {ABSENT}
-- Atomic: One moment's view.
-- Repeat: Reads only.
-- Time: TIME, once; a pending task is READY from its due on.
-- Cost: O(1).
local id, time = ARGV[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = redis.call('HGET', KEYS[1], id)
if not value then
  local how, due, att = string.match(redis.call('HGET', KEYS[4], id) or '', '^(%a)|(%d+)|(%d+)|')
  return how and {how == 'D' and 'DONE' or 'CANCELLED', due, att} or {'ABSENT'}
end
local prio, due, enqueued, length, from = string.match(value, '^(%d)|(%d+)|[^|]*|[^|]*|(%d+)|(%d+)|()')
local st, att, at, flag, err = 'P', 0, '', 0, ''
local record = redis.call('HGET', KEYS[2], id)
if record then
  st, att, at, due, flag, err = string.match(record, '^(%a)|%d|(%d+)|[^|]*|([^|]*)|(%d+)|(%d)|[^|]*|(.*)$')
end
local state = st == 'I' and 'IN_FLIGHT' or st == 'D' and 'DEAD' or tonumber(due) > now and 'DELAYED' or 'READY'
local deadline = st == 'I' and redis.call('ZSCORE', KEYS[3], id)
local died = st == 'D' and redis.call('ZSCORE', KEYS[5], id)
return {state, due, att, err, st == 'I' and at or '', deadline and string.format('%.0f', deadline) or false, flag, enqueued,
  string.sub(value, from, from + length - 1), string.sub(value, from + length), prio,
  died and string.format('%.0f', died) or false}
