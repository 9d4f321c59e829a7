-- Purpose: End the run of an instance that is proven dead, without waiting for its lease.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string), 7 log
--   (stream)
-- ARGV: 1 instance (text), 2 term (number), 3 sequence (number), 4 policy (RETRY or SKIP), 5 next due (ms),
--   6 misses allowed (number), 7 wake channel (text), 8 log length (number, 0 for none), 9 cooldown (ms)
-- Returns: RECLAIMED state (READY for a retry without cooldown; DELAYED, PAUSED or DELETED else) · NOT_HELD (another run or none)
-- Atomic: compared by instance and fence; the lock goes and the next slot stands in one step.
-- Repeat: NOT_HELD; no further effect.
-- Time: TIME once
-- Cost: O(1), history capped at 20, log at its length
local rec, rdy, dly, lock, hist, mark, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local inst, rterm, seq, policy = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local due, allowed, wake, keep = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8]) or 0
local cooldown = tonumber(ARGV[9])
if not (due and allowed and cooldown and tonumber(rterm) and tonumber(seq)) then return redis.error_reply('SOLOIST_ARGS reclaim') end
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

local st, gen, owner, nonce, fence, its, pod, slot, att, started, misses, runs, fails, spent, trig, pend, paused, del,
  uid, term, cool = unpack(redis.call('HMGET', rec, 'st', 'gen', 'owner', 'nonce', 'fence', 'rterm', 'pod', 'slot', 'att',
  'startedAt', 'misses', 'runs', 'fails', 'spent', 'trig', 'pend', 'paused', 'del', 'uid', 'term', 'cool'))
if st ~= 'RUNNING' or owner ~= inst or fence ~= seq or its ~= rterm then return {'NOT_HELD'} end

gen, misses, started, att, pod = num(gen, 1), num(misses, 0), num(started, now), num(att, 1), pod or ''
slot = num(slot, started)
local run = string.format('%010.0f-%016.0f', rterm, seq)
redis.call('DEL', lock, rdy, dly)
if type(redis.pcall('LLEN', hist)) ~= 'number' then redis.call('DEL', hist) end
local line = cjson.encode({gen = gen, fence = run, pod = pod, slot = slot, start = started, ['end'] = now,
  result = 'ABANDONED', message = 'its pod was seen to end'})
local length = redis.call('RPUSH', hist, line)
if length > 20 then redis.call('LPOP', hist, text(length - 20)) end
log('run', line)
if del then
  redis.call('DEL', rec, mark)
  redis.call('HSET', rec, 'st', 'DELETED', 'gen', text(gen + 1), 'uid', uid or '', 'term', term or rterm, 'fence', seq)
  redis.call('PEXPIRE', rec, '2592000000') -- 30 d
  redis.call('PEXPIRE', hist, '2592000000')
  redis.call('PEXPIRE', events, '2592000000')
  redis.call('PUBLISH', wake, 'deleted')
  return {'RECLAIMED', 'DELETED'}
end
-- A job that kills its pod must not spin: after the misses allowed it waits for its next slot.
if policy == 'RETRY' and misses < allowed then
  due, st = now, 'READY'
else
  due, st, att = num(trig, num(pend, due)), 'DELAYED', 0
  slot = due
  redis.call('HDEL', rec, 'pend')
  if not trig then redis.call('HDEL', rec, 'hand') end
end
local nb = math.max(num(cool, 0), cooldown > 0 and now + cooldown or 0)
if st == 'READY' and nb > now then st = 'DELAYED' end
if paused then st = 'PAUSED' end
redis.call('HDEL', rec, 'owner', 'nonce', 'pod', 'rterm', 'lu', 'startedAt', 'cancel', 'paused', 'trig')
redis.call('HSET', rec, 'st', st, 'gen', text(gen + 1), 'due', text(due), 'nb', text(nb), 'slot', text(slot),
  'att', text(att), 'misses', text(misses + 1), 'runs', text(num(runs, 0) + 1), 'fails', text(num(fails, 0) + 1),
  'spent', string.sub((nonce or '') .. ' ' .. (spent or ''), 1, 240), 'lastRun', text(gen) .. '/' .. run,
  'lastStart', text(started), 'lastEnd', text(now), 'lastPod', pod, 'lastResult', 'ABANDONED')
if cooldown > 0 then redis.call('HSET', rec, 'cool', text(nb)) end
if st == 'READY' then redis.call('RPUSH', rdy, text(gen + 1)) end
if st == 'DELAYED' then redis.call('ZADD', dly, text(math.max(due, nb)), text(gen + 1)) end
redis.call('PUBLISH', wake, st == 'READY' and 'ready' or 'delayed')
return {'RECLAIMED', st}
