-- Purpose: Give a lease back before its run is done, or see to it that a claim still on its way cannot win.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string), 5 history (list), 6 mark (string), 7 log
--   (stream)
-- ARGV: 1 instance (text), 2 nonce (text), 3 wake channel (text), 4 what is given back (RUN; INTERRUPTED: a run that has
--   begun, so that its slot is none that was missed; UNACKNOWLEDGED: a lease that no run has used, for too few replicas had
--   it), 5 log length (number, 0 for none)
-- Returns: RELEASED state (READY at once; PAUSED or DELETED when that was asked for) · SPENT (owned nothing)
-- Atomic: the lock goes and the same generation is ready in one step; the attempt is not counted.
-- Repeat: SPENT; no further effect.
-- Time: TIME once
-- Cost: O(1), history capped at 20, log at its length
local rec, rdy, dly, lock, hist, mark, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local inst, nonce, wake, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[5]) or 0
local unused, begun = ARGV[4] == 'UNACKNOWLEDGED', ARGV[4] == 'INTERRUPTED'
if inst == '' or nonce == '' then return redis.error_reply('SOLOIST_ARGS release') end
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

local st, gen, owner, its, fence, rterm, slot, att, pod, started, spent, paused, del, uid, term =
  unpack(redis.call('HMGET', rec, 'st', 'gen', 'owner', 'nonce', 'fence', 'rterm', 'slot', 'att', 'pod', 'startedAt',
  'spent', 'paused', 'del', 'uid', 'term'))
local used = string.sub(nonce .. ' ' .. (spent or ''), 1, 240)
if st ~= 'RUNNING' or owner ~= inst or its ~= nonce then
  if st and not (spent and string.find(spent, nonce, 1, true)) then
    redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
    redis.call('HSET', rec, 'spent', used)
  end
  return {'SPENT'}
end

redis.call('DEL', lock, rdy, dly)
if type(redis.pcall('LLEN', hist)) ~= 'number' then redis.call('DEL', hist) end
if unused then
  redis.call('HSET', rec, 'noack', text(now)) -- until a run ends
else
  local line = cjson.encode({gen = tonumber(gen), pod = pod or '',
    fence = string.format('%010.0f-%016.0f', tonumber(rterm) or 0, tonumber(fence) or 0), slot = tonumber(slot) or now,
    start = tonumber(started) or now, ['end'] = now, result = 'INTERRUPTED', message = ''})
  local length = redis.call('RPUSH', hist, line)
  if length > 20 then redis.call('LPOP', hist, text(length - 20)) end
  log('run', line)
end
if del then
  redis.call('DEL', rec, mark)
  redis.call('HSET', rec, 'st', 'DELETED', 'gen', gen, 'uid', uid or '', 'term', term or rterm, 'fence', fence)
  redis.call('PEXPIRE', rec, '2592000000') -- 30 d
  redis.call('PEXPIRE', hist, '2592000000')
  redis.call('PEXPIRE', events, '2592000000')
  redis.call('PUBLISH', wake, 'deleted')
  return {'RELEASED', 'DELETED'}
end
st = paused and 'PAUSED' or 'READY'
redis.call('HDEL', rec, 'owner', 'nonce', 'pod', 'rterm', 'lu', 'startedAt', 'cancel', 'paused', 'trig')
redis.call('HSET', rec, 'st', st, 'att', text(math.max(0, (tonumber(att) or 1) - 1)), 'spent', used)
if begun then redis.call('HSET', rec, 'hand', '1') end
if st == 'READY' then redis.call('RPUSH', rdy, gen) end
redis.call('PUBLISH', wake, 'ready')
return {'RELEASED', st}
