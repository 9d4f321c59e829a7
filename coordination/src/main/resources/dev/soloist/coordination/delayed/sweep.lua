-- Purpose: Takes back tasks whose holder let the visibility deadline pass.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 done (hash), 5 doneExpiry (zset), 6 dead (zset), 7
--   instanceMembers (hash), 8 segment of the caller (zset), 9 sharedSegment (zset), 10 log (stream)
-- ARGV: 1 instance (text, empty for a caller without one), 2 most tasks (up to 100), 3 first back-off (ms), 4
--   back-off factor (decimal), 5 longest back-off (ms), 6 most attempts (number), 7 jitter seed (0 to 9999), 8
--   retention (ms), 9 log length (number, 0 for none)
-- Returns: {SWEPT, delayed, dead, cancelled, dropped, 1 if more may be over, earliest new due ms or nil, now ms}
-- Atomic: Each task is in flight or where the counts say; its receipt is void from then on.
-- Repeat: Takes the next batch. Two sweepers never see the same expiry.
-- Time: TIME, once.
-- Cost: O(batch log n).
local tasks, attempts, inFlight, inst, seed = KEYS[1], KEYS[2], KEYS[3], ARGV[1], tonumber(ARGV[7])
local events, keep = KEYS[10], tonumber(ARGV[9]) or 0
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
local over = redis.call('ZRANGE', inFlight, '-inf', int(now), 'BYSCORE', 'LIMIT', 0, ARGV[2])
if #over == 0 then return {'SWEPT', 0, 0, 0, 0, 0, false, int(now)} end
local active = string.sub(redis.call('HGET', KEYS[7], inst) or '', 1, 7) == 'ACTIVE|'
local segment = active and KEYS[8] or KEYS[9]
redis.call('ZCARD', segment)
redis.call('ZCARD', KEYS[5])
redis.call('ZCARD', KEYS[6])
local records = redis.call('HMGET', attempts, unpack(over))
local delayed, dead, cancelled, dropped, first = 0, 0, 0, 0, nil

redis.call('ZREM', inFlight, unpack(over))
for i, id in ipairs(over) do
  local st, prio, att, due, flag, reqs, err = string.match(records[i] or '',
    '^(%a)|(%d)|(%d+)|[^|]*|[^|]*|(%d+)|(%d)|([^|]*)|(.*)$')
  if st ~= 'I' then
    dropped = dropped + 1
  elseif flag == '1' then
    redis.call('HDEL', attempts, id)
    redis.call('HDEL', tasks, id)
    if tonumber(ARGV[8]) > 0 then
      redis.call('HSET', KEYS[4], id, table.concat({'C', due, att, '', reqs}, '|'))
      redis.call('ZADD', KEYS[5], int(now + ARGV[8]), id)
    end
    cancelled = cancelled + 1
  elseif tonumber(att) >= tonumber(ARGV[6]) then
    redis.call('HSET', attempts, id, table.concat({'D', prio, att, '', '', due, 0, reqs, err}, '|'))
    redis.call('ZADD', KEYS[6], int(now), id)
    log(id, 'SILENT', att, due, err)
    dead = dead + 1
  else
    local wait = math.min(ARGV[3] * ARGV[4] ^ math.max(att - 1, 0), tonumber(ARGV[5]))
    local at = math.floor(now + wait * (1 + (seed + i * 6151) % 10000 / 100000))
    redis.call('HSET', attempts, id, table.concat({'P', prio, att, '', active and inst or '_shared', int(at), 0, reqs, err}, '|'))
    redis.call('ZADD', segment, int(at), prio .. id)
    first = math.min(first or at, at)
    delayed = delayed + 1
  end
end
return {'SWEPT', delayed, dead, cancelled, dropped, #over == tonumber(ARGV[2]) and 1 or 0, first and int(first) or false, int(now)}
