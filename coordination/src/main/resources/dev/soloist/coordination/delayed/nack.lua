-- Purpose: Gives a reserved task back: to be tried later, at once, or not again.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 done (hash), 5 doneExpiry (zset), 6 dead (zset), 7
--   instanceMembers (hash), 8 segment of the caller (zset), 9 sharedSegment (zset), 10 readyList 0 (list), 11
--   readyList 1 (list), 12 readyList 2 (list), 13 starts (zset), 14 log (stream)
-- ARGV: 1 instance (text), 2 task id (bytes), 3 receipt (text), 4 delay (ms, 0 for at once), 5 RETRY, FREE,
--   UNSEEN or DEAD (word: count the attempt, do not, nor the start, or the last), 6 most attempts (number), 7 error (text), 8 retention (ms), 9
--   wake channel (text), 10 log length (number, 0 for none)
-- Returns: {DELAYED, due ms}, {READY, due ms}, {DEAD}, {CANCELLED}, {REPEATED} or {STALE}
-- Atomic: The task is in flight or where the answer says; what its app never saw leaves room in the rate limit for another,
--   and who waits for it is told. An adopted segment is never written: the shared one is.
-- Repeat: REPEATED while nobody has reserved the task again.
-- Time: TIME, once.
-- Cost: O(log n).
local tasks, attempts, inFlight, inst, id, mode = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[5]
local ready, events, keep = {KEYS[10], KEYS[11], KEYS[12]}, KEYS[14], tonumber(ARGV[10]) or 0
local function int(n) return string.format('%.0f', n) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A log that cannot be written holds up no task, and one that is something else is begun anew.
local function log(id, why, attempts, due, err)
  if keep < 1 then return end
  local newest = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', '1')
  if newest.err and string.find(newest.err, 'WRONGTYPE', 1, true) then redis.call('DEL', events) end
  local ms, n = string.match(newest[1] and newest[1][1] or '0-0', '^(%d+)-(%d+)$')
  redis.pcall('XADD', events, 'MAXLEN', int(keep), int(math.max(now, ms)) .. '-' .. int(n + 1), 'dead', id, 'why', why,
    'attempts', attempts, 'due', due, 'error', err)
end
local st, prio, att, held, _, due, flag, reqs = string.match(redis.call('HGET', attempts, id) or '',
  '^(%a)|(%d)|(%d+)|([^|]*)|([^|]*)|(%d+)|(%d)|([^|]*)|')
if st ~= 'I' or held ~= ARGV[3] then
  local how, before = string.match(redis.call('HGET', KEYS[4], id) or '', '^(%a)|%d+|%d+|([^|]*)|')
  local known = held == ARGV[3] or (how == 'C' and before == ARGV[3])
  return {known and 'REPEATED' or 'STALE'}
end
local active = string.sub(redis.call('HGET', KEYS[7], inst) or '', 1, 7) == 'ACTIVE|'
local segment = active and KEYS[8] or KEYS[9]
redis.call('ZCARD', segment)
redis.call('ZCARD', KEYS[6])
redis.call('ZCARD', KEYS[5])
redis.call('LLEN', ready[prio + 1])
local started = mode == 'UNSEEN' and redis.call('ZSCORE', KEYS[13], held)

redis.call('ZREM', inFlight, id)
redis.call('HDEL', attempts, id)
if started then
  redis.call('ZREM', KEYS[13], held)
  redis.call('PUBLISH', ARGV[9], 'open')
end
if flag == '1' then
  redis.call('HDEL', tasks, id)
  if tonumber(ARGV[8]) > 0 then
    redis.call('HSET', KEYS[4], id, table.concat({'C', due, att, held, reqs}, '|'))
    redis.call('ZADD', KEYS[5], int(now + ARGV[8]), id)
  end
  return {'CANCELLED'}
end
local dies = mode == 'DEAD' or (mode == 'RETRY' and tonumber(att) >= tonumber(ARGV[6]))
att = (mode == 'FREE' or mode == 'UNSEEN') and math.max(att - 1, 0) or att
local later = not dies and tonumber(ARGV[4]) > 0
due = dies and due or int(now + ARGV[4])
local at = later and (active and inst or '_shared') or ''
redis.call('HSET', attempts, id, table.concat({dies and 'D' or 'P', prio, att, held, at, due, 0, reqs, ARGV[7]}, '|'))
if dies then
  redis.call('ZADD', KEYS[6], int(now), id)
  log(id, mode == 'DEAD' and 'REFUSED' or 'ATTEMPTS', att, due, ARGV[7])
  return {'DEAD'}
end
if later then
  redis.call('ZADD', segment, due, prio .. id)
  return {'DELAYED', due}
end
redis.call('RPUSH', ready[prio + 1], prio .. id)
redis.call('PUBLISH', ARGV[9], 'ready')
return {'READY', due}
