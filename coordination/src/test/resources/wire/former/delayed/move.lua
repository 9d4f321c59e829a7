-- Purpose: Moves the due tasks of one segment, oldest first, to the ready lists.
-- KEYS: 1 segment (zset), 2 readyList 0 (list), 3 readyList 1 (list), 4 readyList 2 (list)
-- ARGV: 1 most tasks to move (up to 1000), 2 wake channel (text)
-- Returns: {MOVED, count, due ms of the segment's new head or nil, now ms}
-- Atomic: A task is in the segment or in a ready list, never in neither.
-- Repeat: Moves the next batch. Needs no ownership: anybody may move any segment, also an orphan's.
-- Time: TIME, once.
-- Cost: O(batch + log n), no record is read: whether a hint still holds is judged by reserve.
local segment = KEYS[1]
local ready = {['0'] = KEYS[2], ['1'] = KEYS[3], ['2'] = KEYS[4]}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGE', segment, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
if #due > 0 then
  local hints = {['0'] = {}, ['1'] = {}, ['2'] = {}}
  for _, member in ipairs(due) do
    local list = hints[string.sub(member, 1, 1)]
    if list then list[#list + 1] = member end
  end
  for digit in pairs(hints) do redis.call('LLEN', ready[digit]) end
  redis.call('ZREMRANGEBYRANK', segment, 0, #due - 1)
  for digit, list in pairs(hints) do
    if #list > 0 then redis.call('RPUSH', ready[digit], unpack(list)) end
  end
  redis.call('PUBLISH', ARGV[2], 'ready')
end
local head = redis.call('ZRANGE', segment, 0, 0, 'WITHSCORES')
return {'MOVED', #due, head[2] and string.format('%.0f', head[2]) or false, string.format('%.0f', now)}
