-- Purpose: Gives a task that nobody holds another due.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 instanceMembers (hash), 4 segment of the caller (zset), 5 sharedSegment
--   (zset), 6 readyList 0 (list), 7 readyList 1 (list), 8 readyList 2 (list)
-- ARGV: 1 instance (text), 2 task id (bytes), 3 IN or AT (word), 4 delay or instant (ms), 5 wake channel (text)
-- Returns: {RESCHEDULED, due ms, 1 if it is now the head of the caller's segment, now ms} · {REFUSED, IN_FLIGHT DEAD
--   or TOO_FAR} or {NOT_FOUND}; nothing was written
-- Atomic: Due and index entry change together; an entry under another segment is a stale hint that reserve puts back.
-- Repeat: An instant gives the same due; a delay counts from the repeat.
-- Time: TIME, once.
-- Cost: O(log n).
local attempts, inst, id = KEYS[2], ARGV[1], ARGV[2]
local ready = {KEYS[6], KEYS[7], KEYS[8]}
local function int(n) return string.format('%.0f', n) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = math.max(now, tonumber(ARGV[4]) + (ARGV[3] == 'AT' and 0 or now))
local value = redis.call('HGET', KEYS[1], id)
if not value then return {'NOT_FOUND'} end
local prio, _, req = string.match(value, '^(%d)|(%d+)|([^|]*)|')
local st, att, held, reqs, err = 'P', 0, '', req, ''
local record = redis.call('HGET', attempts, id)
if record then
  st, att, held, reqs, err = string.match(record, '^(%a)|%d|(%d+)|([^|]*)|[^|]*|%d+|%d|([^|]*)|(.*)$')
end
if st == 'I' then return {'REFUSED', 'IN_FLIGHT'} end
if st == 'D' then return {'REFUSED', 'DEAD'} end
if due - now > 31536000000 then return {'REFUSED', 'TOO_FAR'} end
local active = string.sub(redis.call('HGET', KEYS[3], inst) or '', 1, 7) == 'ACTIVE|'
local segment = active and KEYS[4] or KEYS[5]
redis.call('ZCARD', segment)
redis.call('LLEN', ready[prio + 1])

redis.call('HDEL', attempts, id)
local at = due > now and (active and inst or '_shared') or ''
redis.call('HSET', attempts, id, table.concat({'P', prio, att, held, at, int(due), 0, reqs, err}, '|'))
if due > now then
  redis.call('ZADD', segment, int(due), prio .. id)
else
  redis.call('RPUSH', ready[prio + 1], prio .. id)
  redis.call('PUBLISH', ARGV[5], 'ready')
end
local head = active and redis.call('ZRANGE', segment, 0, 0)[1] == prio .. id
return {'RESCHEDULED', int(due), head and 1 or 0, int(now)}
