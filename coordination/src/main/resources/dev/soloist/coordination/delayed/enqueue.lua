-- Purpose: Stores tasks and their index entries, or merges each submission into the living task of the same id.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 instanceMembers (hash), 4 done (hash), 5 doneExpiry (zset), 6 dead
--   (zset), 7 segment of the caller (zset), 8 readyList 0 (list), 9 readyList 1 (list), 10 readyList 2 (list), 11
--   deduplication (hash), 12 deduplicationExpiry (zset)
-- ARGV: 1 instance (text), 2 task id (bytes), 3 priority (0 to 2), 4 IN or AT (word), 5 delay or instant (ms), 6
--   request digest (text), 7 policy (REJECT KEEP_EARLIEST KEEP_LATEST REPLACE), 8 content type (text), 9 payload
--   (bytes), 10 largest payload (bytes), 11 most tasks not dead (number), 12 wake channel (text), 13 window ms,
--   SUCCESS or TERMINAL, and deduplication key with bars between (bytes, empty for none), 14.. further tasks, each as
--   2 to 9 and 13 (nine arguments per task, up to 99 tasks)
-- Returns: For one task {ACCEPTED, CREATED KEPT MOVED REPLACED or DUPLICATE, due ms, 1 if it is now the segment's head,
--   now ms}, with the id that has the key and the ms to which nothing can free it (or 0) behind that if the key is
--   taken, or {REFUSED, EXISTS IN_FLIGHT DEAD TOO_LARGE FULL or TOO_FAR}; for several {ANSWERS, {as for one}...} in
--   their order · {FENCED}; nothing was written
-- Atomic: Task, due, index entry and key appear together, those of one call at one moment. The timer and the trigger are
--   left to the caller.
-- Repeat: The same request is known by the task, by its last merge, and by the done hash: DUPLICATE. It writes, so that
--   WAIT after it counts.
-- Time: TIME, once; a delay counts from it.
-- Cost: O(log n) per task plus 10 expired done ids.
local tasks, attempts, done, expiry, segment, inst = KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[7], ARGV[1]
local ready = {KEYS[8], KEYS[9], KEYS[10]}
local function int(n) return string.format('%.0f', n) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local created, hinted, again = false, false, false

if string.sub(redis.call('HGET', KEYS[3], inst) or '', 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end
-- A key of a wrong type has to fail here, before the first write: there is no roll-back.
for _, key in ipairs({tasks, attempts, done, KEYS[11]}) do redis.call('HLEN', key) end
for _, key in ipairs({expiry, KEYS[6], segment, KEYS[12]}) do redis.call('ZCARD', key) end
for _, key in ipairs(ready) do redis.call('LLEN', key) end

local keys = KEYS[11]
-- Who has a key: a task that lives, or one that was handled inside its window.
local function holder(key, release)
  local state, till, due, by = string.match(redis.call('HGET', keys, 'k' .. key) or 'P|0|0|' .. key, '^(%a)|(%d+)|(%d+)|(.*)$')
  if state == 'S' then return tonumber(till) > now and {by, state, due, till} or nil end
  if redis.call('HEXISTS', tasks, by) == 0 or (redis.call('HGET', keys, 't' .. by) or by) ~= key then return nil end
  state = string.sub(redis.call('HGET', attempts, by) or 'P', 1, 1)
  if state == 'D' and release == 'TERMINAL' then return nil end
  if due == '0' then due = string.match(redis.call('HGET', tasks, by), '^%d|(%d+)|') end
  return {by, state, due, 0}
end

local function enter(id, prio, how, when, req, policy, kind, payload, once)
  local window, release, key = string.match(once, '^(%d+)|(%u+)|(.*)$')
  local due = math.max(now, tonumber(when) + (how == 'AT' and 0 or now))
  local far, large = due - now > 31536000000, #payload > tonumber(ARGV[10])
  local fresh = table.concat({prio, int(due), req, inst, int(now), #kind, kind .. payload}, '|')
  local function same(requests) return string.find(',' .. requests .. ',', ',' .. req .. ',', 1, true) end
  local function accepted(outcome, at)
    local head = redis.call('ZRANGE', segment, 0, 0)[1] == prio .. id
    return {'ACCEPTED', outcome, int(at), head and 1 or 0, int(now)}
  end
  local function repeated(at)
    again = true
    return accepted('DUPLICATE', at)
  end
  local function index()
    if due > now then return redis.call('ZADD', segment, int(due), prio .. id) end
    redis.call('RPUSH', ready[prio + 1], prio .. id)
    hinted = true
  end

  local function claim()
    if not key then return end
    local before = string.match(redis.call('HGET', keys, 'k' .. key) or '', '^%a|%d+|%d+|(.*)$')
    if before and redis.call('HEXISTS', tasks, before) == 0 then redis.call('HDEL', keys, 't' .. before) end
    redis.call('HSET', keys, 'k' .. key, table.concat({'P', int(now + window), int(due), id}, '|'))
    if key == id then redis.call('HDEL', keys, 't' .. id) else redis.call('HSET', keys, 't' .. id, key) end
    redis.call('ZADD', KEYS[12], int(now + window), key)
  end
  -- A task that waits under the same id is the policy's to judge; everything else that has the key stands for this one.
  local function taken()
    local by, state, at, till = unpack(key and holder(key, release) or {})
    if not by or (by == id and state == 'P') then return nil end
    if state == 'D' then return {'REFUSED', 'DEAD'} end
    again = true
    return {'ACCEPTED', 'DUPLICATE', at, 0, int(now), by, till}
  end

  local value, reborn = redis.call('HGET', tasks, id), false
  local st, att, rcpt, at, was, flag, reqs, err
  if value then
    local oldPrio, oldDue, oldReq, seg = string.match(value, '^(%d)|(%d+)|([^|]*)|([^|]*)|')
    local record = redis.call('HGET', attempts, id) or table.concat({'P', oldPrio, 0, '', seg, oldDue, 0, oldReq, ''}, '|')
    st, att, rcpt, at, was, flag, reqs, err =
      string.match(record, '^(%a)|%d|(%d+)|([^|]*)|([^|]*)|(%d+)|(%d)|([^|]*)|(.*)$')
    was, prio = tonumber(was), policy == 'REPLACE' and prio or oldPrio
    if same(reqs) then return repeated(was) end
    local other = taken()
    if other then return other end
    reborn = st == 'D' and release == 'TERMINAL'
    if reborn then prio = string.sub(fresh, 1, 1) end
  end
  if value and not reborn then
    if st == 'I' then return {'REFUSED', 'IN_FLIGHT'} end
    if st == 'D' then return {'REFUSED', 'DEAD'} end
    if policy == 'REJECT' then return {'REFUSED', 'EXISTS'} end
    if far then return {'REFUSED', 'TOO_FAR'} end
    if policy == 'REPLACE' then
      if large then return {'REFUSED', 'TOO_LARGE'} end
      redis.call('HSET', tasks, id, fresh)
      redis.call('HDEL', attempts, id)
      claim()
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

  local old = not reborn and redis.call('HGET', done, id)
  if old then
    local was, reqs = string.match(old, '^%a|(%d+)|%d+|[^|]*|(.*)$')
    if same(reqs) then return repeated(was) end
  end
  local other = not reborn and taken()
  if other then return other end
  if far then return {'REFUSED', 'TOO_FAR'} end
  if large then return {'REFUSED', 'TOO_LARGE'} end
  if redis.call('HLEN', tasks) >= tonumber(ARGV[11]) + redis.call('ZCARD', KEYS[6]) then return {'REFUSED', 'FULL'} end
  if reborn then redis.call('ZREM', KEYS[6], id) end
  redis.call('HSET', tasks, id, fresh)
  redis.call('HDEL', attempts, id)
  claim()
  index()
  created = true
  return accepted('CREATED', due)
end

local first = enter(ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[13])
local out = {'ANSWERS', first}
for i = 14, #ARGV, 9 do out[#out + 1] = enter(unpack(ARGV, i, i + 8)) end
if hinted then redis.call('PUBLISH', ARGV[12], 'ready') end
-- WAIT speaks of what its connection wrote last, so a repeat writes, too: the same again, at no cost in memory. It comes
-- last, for after it a full server takes any write.
if again then
  redis.call('HDEL', done, '')
  redis.call('HSET', KEYS[3], inst, redis.call('HGET', KEYS[3], inst))
end
local over = created and redis.call('ZRANGE', expiry, '-inf', int(now), 'BYSCORE', 'LIMIT', 0, 10) or {}
if #over > 0 then
  redis.call('ZREM', expiry, unpack(over))
  redis.call('HDEL', done, unpack(over))
end
return #ARGV > 13 and out or first
