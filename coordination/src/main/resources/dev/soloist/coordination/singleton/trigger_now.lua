-- Purpose: Make the job due now, or again right after the run in progress.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset)
-- ARGV: 1 force (1 goes past the hold), 2 request (text), 3 wake channel (text)
-- Returns: READY due · AFTER_RUN · REFUSED PAUSED|DELETED|ABSENT · REFUSED NOT_BEFORE until
-- Atomic: token and state move together; the lease is as for every run.
-- Repeat: the same request is answered alike and makes no second run.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, force, request, wake = KEYS[1], KEYS[2], KEYS[3], ARGV[1] == '1', ARGV[2], ARGV[3]
if request == '' then return redis.error_reply('SOLOIST_ARGS trigger_now') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

local st, gen, due, nb, slot, att, paused, del, asked, answer = unpack(redis.call('HMGET', rec, 'st', 'gen', 'due',
  'nb', 'slot', 'att', 'paused', 'del', 'asked', 'askedAt'))
if st == 'DELETED' or del then return {'REFUSED', 'DELETED'} end
if st and asked == request then return answer == '0' and {'AFTER_RUN'} or {'READY', answer} end
if st == 'PAUSED' or paused then return {'REFUSED', 'PAUSED'} end
if not st then return {'REFUSED', 'ABSENT'} end
nb = tonumber(nb) or 0
if st == 'RUNNING' then
  redis.call('HDEL', rec, '-') -- a first write that needs no memory lets the rest pass on a full server
  redis.call('HSET', rec, 'trig', text(now), 'asked', request, 'askedAt', '0', 'hand', '1')
  return {'AFTER_RUN'}
end
if st == 'DELAYED' and nb > now and not force then return {'REFUSED', 'NOT_BEFORE', text(nb)} end
if st == 'READY' then now = tonumber(due) or now end
redis.call('DEL', rdy, dly)
-- A retry that waits is brought forward as its slot's next attempt. Otherwise this is a slot of its own, and the
-- planned one follows it, so that a run by hand does not shift the schedule.
if st == 'DELAYED' and (tonumber(att) or 0) == 0 and (tonumber(due) or 0) > now then
  slot = text(now)
  redis.call('HSET', rec, 'pend', due)
end
redis.call('HSET', rec, 'st', 'READY', 'due', text(now), 'nb', '0', 'slot', slot or text(now), 'asked', request,
  'askedAt', text(now), 'hand', '1')
redis.call('RPUSH', rdy, gen)
redis.call('PUBLISH', wake, 'ready')
return {'READY', text(now)}
