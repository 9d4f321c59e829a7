-- Purpose: Finds pending tasks of one page that lost their hint: overdue ones get it back, later ones are named.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 readyList 0 (list), 4 readyList 1 (list), 5 readyList 2 (list)
-- ARGV: 1 cursor (0 to begin), 2 how long overdue a task must be (ms), 3 wake channel (text)
-- Returns: {REPAIRED, next cursor or 0 at the end, hints restored, {{member, segment that should hold it}...} of
--   tasks due later}
-- Atomic: Each id is judged in one step.
-- Repeat: A task that was passed over gets a second hint in the next walk; reserve drops the one that comes late.
-- Time: TIME, once.
-- Cost: O(page), about 20 tasks with their payloads.
local tasks, attempts, ready = KEYS[1], KEYS[2], {KEYS[3], KEYS[4], KEYS[5]}
local overdue, time = tonumber(ARGV[2]), redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function judge(id, value)
  local prio, due, at = string.match(value or '', '^(%d)|(%d+)|[^|]*|([^|]*)|')
  local record, st = redis.call('HGET', attempts, id), 'P'
  if record then st, at, due = string.match(record, '^(%a)|%d|%d+|[^|]*|([^|]*)|(%d+)|') end
  return st == 'P' and prio, tonumber(due), at
end
-- A list is served from its head, oldest first. What was due long before the head stood is not in it any more.
local function served(list)
  for _, hint in ipairs(redis.call('LRANGE', list, 0, 9)) do
    local id = string.sub(hint, 2)
    local prio, due = judge(id, redis.call('HGET', tasks, id))
    if prio then return due end
  end
  return redis.call('LLEN', list) == 0 and now or 0
end
-- While nobody consumes, every walk would add another hint to those that stand behind a later head.
local recorded = redis.call('HLEN', tasks)
local function full(list) return redis.call('LLEN', list) > recorded end
local upTo = {served(ready[1]), served(ready[2]), served(ready[3])}
local page = redis.call('HSCAN', tasks, ARGV[1], 'COUNT', 20)
local hints, later = 0, {}
for i = 1, #page[2], 2 do
  local id = page[2][i]
  local prio, due, at = judge(id, page[2][i + 1])
  if prio and due > now then
    later[#later + 1] = {prio .. id, at}
  elseif prio and due + overdue < upTo[prio + 1] and not full(ready[prio + 1]) then
    -- Removing nothing is a write that needs no memory: it lets the push through on a full server.
    redis.call('HDEL', attempts, '')
    redis.call('RPUSH', ready[prio + 1], prio .. id)
    hints = hints + 1
  end
end
if hints > 0 then redis.call('PUBLISH', ARGV[3], 'ready') end
return {'REPAIRED', page[1], hints, later}
