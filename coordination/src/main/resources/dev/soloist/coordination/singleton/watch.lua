-- Purpose: Compare a job's state with its token and lease, and mend in the same step what no one else will.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string), 7 log
--   (stream)
-- ARGV: 1 grace (ms), 2 policy (RETRY or SKIP), 3 next due (ms), 4 backoff (ms), 5 factor (thousandths), 6 cap (ms),
--   7 misses allowed (number), 8 wake channel (text), 9 log length (number, 0 for none), 10 cooldown (ms)
-- Returns: OK · LOST_TOKEN (put back) · PROMOTED · WAIT ms · CORRUPT (an alarm; no lease is taken away) · ABSENT ·
--   ABANDONED owner pod term sequence state
-- Atomic: verdict and repair are one step, so neither two watchdogs nor a returning owner can make a second run.
-- Repeat: OK or WAIT.
-- Time: TIME once
-- Cost: O(1), history capped at 20, log at its length
local rec, rdy, dly, lock, hist, mark, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local grace, due, wake, keep = tonumber(ARGV[1]), tonumber(ARGV[3]), ARGV[8], tonumber(ARGV[9]) or 0
local base, factor, cap, allowed = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local cooldown = tonumber(ARGV[10])
if not (grace and due and base and factor and cap and allowed and cooldown) then return redis.error_reply('SOLOIST_ARGS watch') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end
local function num(s, default) return tonumber(s) or default end
-- A log that cannot be written holds up no run, and one that is something else is begun anew.
local function log(kind, entry)
  if keep < 1 then return end
  local last = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', '1')
  if last.err and string.find(last.err, 'WRONGTYPE', 1, true) then redis.call('DEL', events) end
  local ms, n = string.match(last[1] and last[1][1] or '0-0', '^(%d+)-(%d+)$')
  redis.pcall('XADD', events, 'MAXLEN', text(keep), text(math.max(now, ms)) .. '-' .. text(n + 1), kind, entry)
end

local fields = redis.pcall('HMGET', rec, 'st', 'gen', 'due', 'nb', 'owner', 'nonce', 'fence', 'rterm', 'lu', 'pod',
  'slot', 'att', 'startedAt', 'misses', 'runs', 'fails', 'spent', 'trig', 'pend', 'paused', 'del', 'uid', 'term',
  'cool')
local held = redis.pcall('GET', lock)
if fields.err or type(held) == 'table' then return {'CORRUPT'} end
local st, gen, planned, nb, owner, nonce, fence, rterm, lu, pod, slot, att, started, misses, runs, fails, spent, trig,
  pend, paused, del, uid, term, cool = unpack(fields)
if not st then return held and {'WAIT', text(redis.call('PTTL', lock))} or {'ABSENT'} end
if not tonumber(gen) then return {'CORRUPT'} end
local endless = held and redis.call('PTTL', lock) == -1
if endless and st ~= 'RUNNING' then return {'CORRUPT'} end
local at, token = math.max(num(planned, 0), num(nb, 0)), nil
if st == 'READY' or (st == 'DELAYED' and at + grace < now) then
  token = redis.pcall('LRANGE', rdy, '0', '1')
  if st == 'READY' and #token == 1 and token[1] == gen then return {'OK'} end
  redis.call('DEL', rdy, dly)
  redis.call('HSET', rec, 'st', 'READY')
  redis.call('RPUSH', rdy, gen)
  redis.call('PUBLISH', wake, 'ready')
  return {st == 'READY' and 'LOST_TOKEN' or 'PROMOTED'}
elseif st == 'DELAYED' then
  token = redis.pcall('ZRANGE', dly, '0', '1', 'WITHSCORES')
  if #token == 2 and token[1] == gen and tonumber(token[2]) == at and redis.call('EXISTS', rdy) == 0 then
    return {'OK'}
  end
  redis.call('DEL', rdy, dly)
  redis.call('ZADD', dly, text(at), gen)
  redis.call('PUBLISH', wake, 'delayed')
  return {'LOST_TOKEN'}
elseif st == 'PAUSED' or st == 'DELETED' then
  redis.call('DEL', rdy, dly)
  return {'OK'}
elseif st ~= 'RUNNING' or not (owner and nonce and tonumber(fence)) then
  return {'CORRUPT'}
end
if held == owner .. '|' .. nonce .. '|' .. fence then
  if not endless then return {'OK'} end -- whatever the run's age: that is for its own time limit
  redis.call('PEXPIRE', lock, text(num(lu, 0) - now))
  return {'CORRUPT'}
end
if held then return {'CORRUPT'} end
if num(lu, 0) + grace >= now then return {'WAIT', text(num(lu, 0) + grace - now)} end

gen, misses, started, att = num(gen), num(misses, 0), num(started, now), num(att, 1)
rterm, pod, slot, trig, pend = rterm or '0', pod or '', num(slot, started), tonumber(trig), tonumber(pend)
local run = string.format('%010.0f-%016.0f', rterm, fence)
-- A job that kills its pod must not spin: after the misses allowed it waits for its next slot.
local retry = ARGV[2] == 'RETRY' and misses < allowed
if retry then due = now + math.floor(math.min(base * (factor / 1000) ^ misses, cap)) end
redis.call('DEL', rdy, dly)
if type(redis.pcall('LLEN', hist)) ~= 'number' then redis.call('DEL', hist) end
local line = cjson.encode({gen = gen, fence = run, pod = pod, slot = slot, start = started, ['end'] = now,
  result = 'ABANDONED', message = 'the lease ran out and its holder was silent'})
local length = redis.call('RPUSH', hist, line)
if length > 20 then redis.call('LPOP', hist, text(length - 20)) end
log('run', line)
if del then
  redis.call('DEL', rec, mark)
  redis.call('HSET', rec, 'st', 'DELETED', 'gen', text(gen + 1), 'uid', uid or '', 'term', term or rterm,
    'fence', fence)
  redis.call('PEXPIRE', rec, '2592000000') -- 30 d
  redis.call('PEXPIRE', hist, '2592000000')
  redis.call('PEXPIRE', events, '2592000000')
  redis.call('PUBLISH', wake, 'deleted')
  return {'ABANDONED', owner, pod, rterm, fence, 'DELETED'}
end
if trig then due, retry = trig, false elseif pend and not (retry and due < pend) then due, retry = pend, false end
if not retry then
  slot, att = due, 0
  redis.call('HDEL', rec, 'pend')
  if not trig then redis.call('HDEL', rec, 'hand') end
end
-- The run has ended with its lease, whenever that is noticed.
nb = math.max(num(cool, 0), cooldown > 0 and num(lu, now) + cooldown or 0)
st = paused and 'PAUSED' or 'DELAYED'
redis.call('HDEL', rec, 'owner', 'nonce', 'pod', 'rterm', 'lu', 'startedAt', 'cancel', 'paused', 'trig')
redis.call('HSET', rec, 'st', st, 'gen', text(gen + 1), 'due', text(due), 'nb', text(nb), 'slot', text(slot),
  'att', text(att), 'misses', text(misses + 1), 'runs', text(num(runs, 0) + 1), 'fails', text(num(fails, 0) + 1),
  'spent', string.sub(nonce .. ' ' .. (spent or ''), 1, 240), 'lastRun', text(gen) .. '/' .. run,
  'lastStart', text(started), 'lastEnd', text(now), 'lastPod', pod, 'lastResult', 'ABANDONED')
if cooldown > 0 then redis.call('HSET', rec, 'cool', text(nb)) end
if st == 'DELAYED' then redis.call('ZADD', dly, text(math.max(due, nb)), text(gen + 1)) end
redis.call('PUBLISH', wake, 'delayed')
return {'ABANDONED', owner, pod, rterm, fence, st}
