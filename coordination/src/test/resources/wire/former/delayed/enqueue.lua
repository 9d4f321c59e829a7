-- Purpose: Stores a task and its index entry, or merges the submission into the living task of the same id.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 instanceMembers (hash), 4 done (hash), 5 doneExpiry (zset), 6 dead
--   (zset), 7 segment of the caller (zset), 8 readyList 0 (list), 9 readyList 1 (list), 10 readyList 2 (list)
-- ARGV: 1 instance (text), 2 task id (bytes), 3 priority (0 to 2), 4 IN or AT (word), 5 delay or instant (ms), 6
--   request digest (text), 7 policy (REJECT KEEP_EARLIEST KEEP_LATEST REPLACE), 8 content type (text), 9 payload
--   (bytes), 10 largest payload (bytes), 11 most tasks not dead (number), 12 wake channel (text)
-- Returns: {ACCEPTED, CREATED KEPT MOVED REPLACED or DUPLICATE, due ms, 1 if it is now the segment's head, now ms} ·
--   {REFUSED, EXISTS IN_FLIGHT DEAD TOO_LARGE FULL or TOO_FAR} or {FENCED}; nothing was written
-- Atomic: Task, due and index entry appear together. The timer and the trigger are left to the caller.
-- Repeat: The same request is known by the task, by its last merge, and by the done hash: DUPLICATE.
-- Time: TIME, once; a delay counts from it.
-- Cost: O(log n) plus 10 expired done ids.
local tasks, attempts, done, expiry, segment = KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[7]
local ready = {KEYS[8], KEYS[9], KEYS[10]}
local inst, id, prio, req, policy, kind, payload = ARGV[1], ARGV[2], ARGV[3], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local function int(n) return string.format('%.0f', n) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = math.max(now, tonumber(ARGV[5]) + (ARGV[4] == 'AT' and 0 or now))

local function same(requests) return string.find(',' .. requests .. ',', ',' .. req .. ',', 1, true) end
local function accepted(outcome, at)
  local head = redis.call('ZRANGE', segment, 0, 0)[1] == prio .. id
  return {'ACCEPTED', outcome, int(at), head and 1 or 0, int(now)}
end
local function index()
  if due > now then return redis.call('ZADD', segment, int(due), prio .. id) end
  redis.call('RPUSH', ready[prio + 1], prio .. id)
  redis.call('PUBLISH', ARGV[12], 'ready')
end

if string.sub(redis.call('HGET', KEYS[3], inst) or '', 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end
-- A key of a wrong type has to fail here, before the first write: there is no roll-back.
redis.call('ZCARD', segment)
redis.call('LLEN', ready[prio + 1])
local far, large = due - now > 31536000000, #payload > tonumber(ARGV[10])
local fresh = table.concat({prio, int(due), req, inst, int(now), #kind, kind .. payload}, '|')
local value = redis.call('HGET', tasks, id)
if value then
  local oldPrio, oldDue, oldReq, seg = string.match(value, '^(%d)|(%d+)|([^|]*)|([^|]*)|')
  local record = redis.call('HGET', attempts, id) or table.concat({'P', oldPrio, 0, '', seg, oldDue, 0, oldReq, ''}, '|')
  local st, att, rcpt, at, was, flag, reqs, err =
    string.match(record, '^(%a)|%d|(%d+)|([^|]*)|([^|]*)|(%d+)|(%d)|([^|]*)|(.*)$')
  was, prio = tonumber(was), policy == 'REPLACE' and prio or oldPrio
  if same(reqs) then return accepted('DUPLICATE', was) end
  if st == 'I' then return {'REFUSED', 'IN_FLIGHT'} end
  if st == 'D' then return {'REFUSED', 'DEAD'} end
  if policy == 'REJECT' then return {'REFUSED', 'EXISTS'} end
  if far then return {'REFUSED', 'TOO_FAR'} end
  if policy == 'REPLACE' then
    if large then return {'REFUSED', 'TOO_LARGE'} end
    redis.call('HSET', tasks, id, fresh)
    redis.call('HDEL', attempts, id)
    index()
    return accepted('REPLACED', due)
  end
  local moved = policy == 'KEEP_LATEST' or due < was
  reqs = string.match(reqs, '^[^,]*') .. ',' .. req
  at, was = moved and inst or at, moved and due or was
  redis.call('HSET', attempts, id, table.concat({'P', prio, att, rcpt, at, int(was), flag, reqs, err}, '|'))
  if moved then index() end
  return accepted(moved and 'MOVED' or 'KEPT', was)
end

local old = redis.call('HGET', done, id)
if old then
  local was, reqs = string.match(old, '^%a|(%d+)|%d+|[^|]*|(.*)$')
  if same(reqs) then return accepted('DUPLICATE', was) end
end
if far then return {'REFUSED', 'TOO_FAR'} end
if large then return {'REFUSED', 'TOO_LARGE'} end
if redis.call('HLEN', tasks) >= tonumber(ARGV[11]) + redis.call('ZCARD', KEYS[6]) then return {'REFUSED', 'FULL'} end
redis.call('HSET', tasks, id, fresh)
redis.call('HDEL', attempts, id)
index()
local over = redis.call('ZRANGE', expiry, '-inf', int(now), 'BYSCORE', 'LIMIT', 0, 10)
if #over > 0 then
  redis.call('ZREM', expiry, unpack(over))
  redis.call('HDEL', done, unpack(over))
end
return accepted('CREATED', due)
