-- Purpose: Makes tasks that were handled ready again, page by page from a point in time on.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 done (hash), 4 dead (zset), 5 readyList 0 (list), 6 readyList 1 (list), 7
--   readyList 2 (list), 8 taskStream (stream), 9 streamEntries (hash), 10 instanceMembers (hash)
-- ARGV: 1 where to begin (ms or an exclusive id), 2 where to end (ms, empty for the present), 3 request digest (text), 4 most
--   entries (number), 5 most tasks not dead (number), 6 wake channel (text), 7 instance (text)
-- Returns: {REPLAYED, where to go on or empty at the end, where to end ms, tasks made ready, tasks left alone because
--   they wait, are held or are dead, tasks that this very replay had made ready before, 1 if the queue is full} ·
--   {FENCED}; nothing was written
-- Atomic: Record and hint of a task appear together.
-- Repeat: What the same request has made ready is not made ready twice while it lives or is remembered.
-- Time: TIME, once.
-- Cost: O(page) with the payloads.
local tasks, attempts, done, stream, entries = KEYS[1], KEYS[2], KEYS[3], KEYS[8], KEYS[9]
if string.sub(redis.call('HGET', KEYS[10], ARGV[7]) or '', 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end
local ready, most = {KEYS[5], KEYS[6], KEYS[7]}, tonumber(ARGV[4])
local function int(n) return string.format('%.0f', n) end
local time = redis.call('TIME')
local now = int(time[1] * 1000 + math.floor(time[2] / 1000))
-- Up to what is over: else a replay would run after the entries of what it has made ready itself.
local last = int(math.min(tonumber(ARGV[2]) or now - 1, now - 1))
for _, list in ipairs(ready) do redis.call('LLEN', list) end
local page = redis.call('XRANGE', stream, ARGV[1], last, 'COUNT', most)
local made, alive, before, room = 0, 0, 0, tonumber(ARGV[5]) + redis.call('ZCARD', KEYS[4]) - redis.call('HLEN', tasks)
local on, full = '', 0
for _, row in ipairs(page) do
  local entry, task = row[1], {}
  for i = 1, #row[2], 2 do task[row[2][i]] = row[2][i + 1] end
  local id, prio, kind = task.id, tonumber(task.priority), task.type
  if id and ready[(prio or 3) + 1] and kind and task.payload then
    local req = ARGV[3] .. ':' .. entry
    local requests = string.match(redis.call('HGET', done, id) or '', '^%a|%d+|%d+|[^|]*|(.*)$') or ''
    if redis.call('HEXISTS', tasks, id) == 1 or redis.call('HEXISTS', entries, 'e' .. entry) == 1 then
      alive = alive + 1
    elseif string.find(',' .. requests .. ',', ',' .. req .. ',', 1, true) then
      before = before + 1
    elseif made >= room then
      full = 1
      break
    else
      redis.call('HSET', tasks, id, table.concat({prio, now, req, '_shared', now, #kind, kind .. task.payload}, '|'))
      redis.call('HDEL', attempts, id)
      redis.call('RPUSH', ready[prio + 1], prio .. id)
      made = made + 1
    end
  end
  on = entry
end
if made > 0 then redis.call('PUBLISH', ARGV[6], 'ready') end
local more = full == 1 or #page == most
if more then on = on == '' and ARGV[1] or '(' .. on else on = '' end
return {'REPLAYED', on, last, made, alive, before, full}
