-- Purpose: Judges ready hints by their records and hands out the tasks that are really due.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 reservations (hash), 5 instanceMembers (hash), 6 dead
--   (zset), 7 segment of the caller (zset), 8 readyList 0 (list), 9 readyList 1 (list), 10 readyList 2 (list), 11 log
--   (stream), 12 starts (zset)
-- ARGV: 1 instance (text), 2 nonce (text), 3 most tasks (up to 100), 4 visibility (ms), 5 most attempts (number), 6
--   list to begin with (0 to 2), 7 payload after which the batch ends (bytes), 8 log length (number, 0 for none), 9 most
--   starts in a span (0 for any number), 10 length of the span (ms)
-- Returns: {RESERVED, now ms, 1 if the lists may hold more, {{id, content type, payload, attempt, due ms, enqueued
--   ms, receipt}...}, ms until the rate limit lets another begin} · {FENCED}; nothing was written
-- Atomic: Hint, attempt, receipt, visibility deadline and start change together; the batch is remembered under its
--   nonce. What is over the limit stays where it is, and no attempt is counted.
-- Repeat: The same nonce gets what is left of the same batch, each with its visibility begun anew and no start counted; the
--   nonces of the instance's ten batches before get nothing, for such a call was answered long ago and its copy comes late.
-- Time: TIME, once.
-- Cost: O(batch log n): at most three hints per task asked for.
local tasks, attempts, inFlight, inst, nonce = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local ready = {KEYS[8], KEYS[9], KEYS[10]}
local max, maxAttempts, budget = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[7])
local events, keep = KEYS[11], tonumber(ARGV[8]) or 0
local function int(n) return string.format('%.0f', n) end
local function record(text)
  return string.match(text, '^(%a)|%d|(%d+)|([^|]*)|[^|]*|(%d+)|(%d)|([^|]*)|(.*)$')
end
local function task(id, value, attempt, due, receipt)
  local enqueued, length, from = string.match(value, '^%d|%d+|[^|]*|[^|]*|(%d+)|(%d+)|()')
  local kind = string.sub(value, from, from + length - 1)
  return {id, kind, string.sub(value, from + length), attempt, due, enqueued, receipt}
end
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
local deadline = int(now + ARGV[4])
if string.sub(redis.call('HGET', KEYS[5], inst) or '', 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end

local out = {}
local last = redis.call('HGET', KEYS[4], inst)
local batch = last and cmsgpack.unpack(last)
local known = batch and batch[1] or '' -- nonces of the latest batches, the newest first
if batch and string.match(known, '^%S+') == nonce then
  for i = 2, #batch do
    local id, value = batch[i], redis.call('HGET', tasks, batch[i])
    local st, att, receipt, due = record(redis.call('HGET', attempts, id) or '')
    if value and st == 'I' and receipt == nonce .. ':' .. (i - 1) then
      redis.call('ZREM', inFlight, id)
      redis.call('ZADD', inFlight, deadline, id)
      out[#out + 1] = task(id, value, att, due, receipt)
    end
  end
  return {'RESERVED', int(now), 1, out, 0}
end

-- Handed out to a call whose sender has its answer, tasks would lie with nobody until their visibility is over.
if string.find(known, nonce, 1, true) then return {'RESERVED', int(now), 0, out, 0} end

-- The newest starts are all that counts: another may begin when the one that is max before it is further back than a span.
local starts, limit, span = KEYS[12], tonumber(ARGV[9]), tonumber(ARGV[10])
local function closed()
  if limit == 0 then return 0 end
  local oldest = redis.call('ZRANGE', starts, -limit, -limit, 'WITHSCORES')[2]
  return oldest and math.max(0, oldest + span + 1 - now) or 0
end
if limit > 0 then
  -- Starts that lie ahead were written before the clock was set back: they count as of now, not for as long as it went.
  local ahead = redis.call('ZRANGE', starts, '(' .. int(now), '+inf', 'BYSCORE', 'LIMIT', 0, 500)
  for _, start in ipairs(ahead) do
    redis.call('ZREM', starts, start)
    redis.call('ZADD', starts, int(now), start)
  end
  local room = math.min(max, limit)
  local newest = redis.call('ZRANGE', starts, -limit, room - limit - 1, 'WITHSCORES')
  max = room
  for i = 2, #newest, 2 do
    if newest[i] + span >= now then max = max - 1 end
  end
  if max == 0 then return {'RESERVED', int(now), 0, out, int(closed())} end
end

local hints, from, ids = {}, {}, {}
for _, list in ipairs(({['1'] = {2, 1, 3}, ['2'] = {3, 1, 2}})[ARGV[6]] or {1, 2, 3}) do
  local room = 3 * max - #hints
  for _, hint in ipairs(room > 0 and redis.call('LRANGE', ready[list], 0, room - 1) or {}) do
    hints[#hints + 1], from[#hints + 1], ids[#ids + 1] = hint, list, string.sub(hint, 2)
  end
end
if #hints == 0 then return {'RESERVED', int(now), 0, out, 0} end
redis.call('ZCARD', inFlight)
redis.call('ZCARD', KEYS[6])
redis.call('ZCARD', KEYS[7])

local records, values, used, seen, bytes, count = redis.call('HMGET', attempts, unpack(ids)), {}, {0, 0, 0}, {}, 0, 0
local later, marks, live, dead, died = {}, {}, {}, {}, {}
batch = {string.match(nonce .. ' ' .. known, '^' .. string.rep('%S* ?', 11))}
for i, id in ipairs(ids) do
  if #out == max or bytes >= budget then break end
  count, used[from[i]] = i, used[from[i]] + 1
  if not values[i] then
    local page = redis.call('HMGET', tasks, unpack(ids, i, math.min(i + 9, #ids)))
    for j, value in ipairs(page) do values[i + j - 1] = value or '' end
  end
  local value = values[i]
  local prio, due, req = string.match(value, '^(%d)|(%d+)|([^|]*)|')
  local st, att, flag, reqs, err, _, own = 'P', 0, 0, req, ''
  if prio and records[i] then st, att, _, own, flag, reqs, err = record(records[i]) end
  due = own or due
  -- Nothing is handed out that has no record, is held or dead, or stood twice in the lists.
  if prio and st == 'P' and not seen[id] then
    seen[id] = true
    if tonumber(due) > now then
      later[#later + 1] = {due, prio .. id}
    else
      local dies = att + 1 > maxAttempts
      local receipt = dies and '' or nonce .. ':' .. #batch
      marks[#marks + 1] = id
      marks[#marks + 1] = table.concat({dies and 'D' or 'I', prio, dies and att or att + 1, receipt, inst, due, flag, reqs, err}, '|')
      if dies then
        dead[#dead + 1] = int(now)
        dead[#dead + 1] = id
        died[#died + 1] = {id, att, due, err}
      else
        live[#live + 1] = deadline
        live[#live + 1] = id
        batch[#batch + 1] = id
        out[#out + 1] = task(id, value, att + 1, due, receipt)
        bytes = bytes + #value
      end
    end
  end
end
for list = 1, 3 do
  if used[list] > 0 then redis.call('LPOP', ready[list], used[list]) end
end
-- LT, not NX: a stale later entry under the same name must not hide the true due.
for _, entry in ipairs(later) do redis.call('ZADD', KEYS[7], 'LT', entry[1], entry[2]) end
if #marks > 0 then redis.call('HSET', attempts, unpack(marks)) end
if #dead > 0 then redis.call('ZADD', KEYS[6], unpack(dead)) end
for _, task in ipairs(died) do log(task[1], 'ATTEMPTS', task[2], task[3], task[4]) end
if #live > 0 then
  redis.call('ZADD', inFlight, unpack(live))
  redis.call('HSET', KEYS[4], inst, cmsgpack.pack(batch))
  if limit > 0 then
    local begun = {}
    for i = 2, #batch do
      begun[#begun + 1] = int(now)
      begun[#begun + 1] = nonce .. ':' .. (i - 1)
    end
    redis.call('ZADD', starts, unpack(begun))
    local over = math.min(redis.call('ZCARD', starts) - limit, 500)
    if over > 0 then redis.call('ZREMRANGEBYRANK', starts, 0, over - 1) end
    redis.call('PEXPIRE', starts, int(span + 1000))
  end
end
return {'RESERVED', int(now), (count < #hints or #hints == 3 * max) and 1 or 0, out, int(closed())}
