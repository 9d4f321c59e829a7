-- Purpose: Finds pending tasks of one page that lost their hint: overdue ones get it back, later ones are named.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 readyList 0 (list), 4 readyList 1 (list), 5 readyList 2 (list)
-- ARGV: 1 cursor (0 to begin), 2 how long overdue a task must be (ms), 3 wake channel (text)
-- Returns: {REPAIRED, next cursor or 0 at the end, hints restored, {{member, segment that should hold it}...} of
--   tasks due later}
-- Atomic: Each id is judged in one step.
-- Repeat: While the lists are empty the hint is pushed again; reserve drops the second one.
-- Time: TIME, once.
-- Cost: O(page), about 20 tasks with their payloads.
local ready = {KEYS[3], KEYS[4], KEYS[5]}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local page = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', 20)
local idle = redis.call('LLEN', ready[1]) + redis.call('LLEN', ready[2]) + redis.call('LLEN', ready[3]) == 0
local hints, later = 0, {}
for i = 1, #page[2], 2 do
  local id = page[2][i]
  local prio, due, at = string.match(page[2][i + 1], '^(%d)|(%d+)|[^|]*|([^|]*)|')
  local record, st = redis.call('HGET', KEYS[2], id), 'P'
  if record then st, at, due = string.match(record, '^(%a)|%d|%d+|[^|]*|([^|]*)|(%d+)|') end
  if st == 'P' and tonumber(due) > now then
    later[#later + 1] = {prio .. id, at}
  elseif st == 'P' and idle and tonumber(due) + ARGV[2] < now then
    -- Removing nothing is a write that needs no memory: it lets the push through on a full server.
    redis.call('HDEL', KEYS[2], '')
    redis.call('RPUSH', ready[prio + 1], prio .. id)
    hints = hints + 1
  end
end
if hints > 0 then redis.call('PUBLISH', ARGV[3], 'ready') end
return {'REPAIRED', page[1], hints, later}
