-- Purpose: End a run by its owner: note the result, free the lock and set the next slot.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string), 7 log
--   (stream)
-- ARGV: 1 instance (text), 2 nonce (text), 3 term (number), 4 sequence (number), 5 result (text), 6 message (text),
--   7 next due (ms), 8 retry (1 keeps slot and attempt), 9 hold (NONE, NEXT or FOR), 10 hold for (ms), 11 wake (text),
--   12 log length (number, 0 for none), 13 cooldown (ms)
-- Returns: OK state due · REPEATED (this fence has finished) · LATE (the run is not its any more; noted in history)
-- Atomic: no one sees a free lock without a next slot. The lock goes even when it has lapsed or is foreign.
-- Repeat: REPEATED; after a further run LATE; no effect.
-- Time: TIME once
-- Cost: O(1), history capped at 20, log at its length
local rec, rdy, dly, lock, hist, mark, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local inst, nonce, rterm, seq, result, hold, wake = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[9], ARGV[11]
local due, retry, holdFor, keep = tonumber(ARGV[7]), ARGV[8] == '1', tonumber(ARGV[10]), tonumber(ARGV[12]) or 0
local cooldown = tonumber(ARGV[13])
if not (due and holdFor and cooldown and tonumber(rterm) and tonumber(seq)) or result == '' then
  return redis.error_reply('SOLOIST_ARGS finish')
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

-- A log that cannot be written holds up no run, and one that is something else is begun anew.
local function log(kind, entry)
  if keep < 1 then return end
  local last = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', '1')
  if last.err and string.find(last.err, 'WRONGTYPE', 1, true) then redis.call('DEL', events) end
  local ms, n = string.match(last[1] and last[1][1] or '0-0', '^(%d+)-(%d+)$')
  redis.pcall('XADD', events, 'MAXLEN', text(keep), text(math.max(now, ms)) .. '-' .. text(n + 1), kind, entry)
end
local function note(kind, entry)
  if type(redis.pcall('LLEN', hist)) ~= 'number' then redis.call('DEL', hist) end
  local line = cjson.encode(entry)
  local n = redis.call('RPUSH', hist, line)
  if n > 20 then redis.call('LPOP', hist, text(n - 20)) end
  log(kind, line)
end

local st, gen, owner, its, fence, term, slot, att, pod, started, runs, fails, spent, last, late, trig, pend, paused,
  del, uid, top, cool = unpack(redis.call('HMGET', rec, 'st', 'gen', 'owner', 'nonce', 'fence', 'rterm', 'slot', 'att', 'pod',
  'startedAt', 'runs', 'fails', 'spent', 'lastFence', 'late', 'trig', 'pend', 'paused', 'del', 'uid', 'term',
  'cool'))
local entry = {fence = string.format('%010.0f-%016.0f', rterm, seq), ['end'] = now,
  message = string.sub(ARGV[6], 1, 512)}
if st ~= 'RUNNING' or owner ~= inst or its ~= nonce or fence ~= seq or term ~= rterm then
  if seq == last then return {'REPEATED'} end
  if st and st ~= 'DELETED' and late ~= seq then
    redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
    entry.result, entry.pod = 'LATE', inst
    note('late', entry)
    redis.call('HSET', rec, 'late', seq)
  end
  return {'LATE'}
end

-- Everything is made sound before the first write, for a script that fails half-way is not rolled back.
local function num(s, default) return tonumber(s) or default end
gen, att, started, runs, fails = num(gen, 1), num(att, 1), num(started, now), num(runs, 0), num(fails, 0)
slot, pod, trig, pend = num(slot, started), pod or '', tonumber(trig), tonumber(pend)
entry.gen, entry.pod, entry.result, entry.slot, entry.start = gen, pod, result, slot, started
redis.call('DEL', lock, rdy, dly)
note('run', entry)
if del then
  redis.call('DEL', rec, mark)
  redis.call('HSET', rec, 'st', 'DELETED', 'gen', text(gen + 1), 'uid', uid or '', 'term', top or rterm, 'fence', seq,
    'lastFence', seq)
  redis.call('PEXPIRE', rec, '2592000000') -- 30 d: longer than any old run or lagging operator
  redis.call('PEXPIRE', hist, '2592000000')
  redis.call('PEXPIRE', events, '2592000000')
  redis.call('PUBLISH', wake, 'deleted')
  return {'OK', 'DELETED', '0'}
end
if trig then
  due, retry = trig, false
elseif pend and not (retry and due < pend) then
  due, retry = pend, false
end
if not retry then
  slot, att = due, 0
  redis.call('HDEL', rec, 'pend')
  if not trig then redis.call('HDEL', rec, 'hand') end
elseif result == 'INTERRUPTED' then
  att = math.max(0, att - 1) -- given back, not failed
end
local nb = hold == 'NEXT' and due or hold == 'FOR' and not retry and started + holdFor or 0
-- No wish and no change of plan goes past it: a release never lets a singleton run again too soon.
cool = math.max(num(cool, 0), cooldown > 0 and now + cooldown or 0)
nb = math.max(nb, cool)
if result == 'SUCCEEDED' then fails = 0 elseif result ~= 'INTERRUPTED' and result ~= 'SKIPPED' then fails = fails + 1 end
st = paused and 'PAUSED' or 'DELAYED'
redis.call('HDEL', rec, 'owner', 'nonce', 'pod', 'rterm', 'lu', 'startedAt', 'cancel', 'paused', 'trig',
  'noack')
redis.call('HSET', rec, 'st', st, 'gen', text(gen + 1), 'due', text(due), 'nb', text(nb), 'slot', text(slot), 'att',
  text(att), 'misses', '0', 'runs', text(runs + 1), 'fails', text(fails), 'lastFence', seq,
  'spent', string.sub(nonce .. ' ' .. (spent or ''), 1, 240), 'lastRun', text(gen) .. '/' .. entry.fence,
  'lastStart', text(started), 'lastEnd', text(now), 'lastPod', pod, 'lastResult', result)
if cooldown > 0 then redis.call('HSET', rec, 'cool', text(cool)) end
if result == 'SUCCEEDED' then redis.call('HSET', rec, 'lastSuccess', text(now)) end
due = math.max(due, nb)
if st == 'DELAYED' then redis.call('ZADD', dly, text(due), text(gen + 1)) end
redis.call('PUBLISH', wake, 'delayed')
return {'OK', st, text(due)}
