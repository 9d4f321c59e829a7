-- Purpose: Read the whole job at one moment.
-- KEYS: 1 record (hash), 2 lock (string), 3 history (list), 4 mark (string)
-- ARGV: 1 newest runs wanted (0 to 20)
-- Returns: OK now lock-remaining (ms; -1 without an end, -2 no lock) mark {fields} {runs, oldest first}
-- Atomic: all of one moment.
-- Repeat: reads only.
-- Time: TIME once
-- Cost: O(1)
local rec, lock, hist, mark, count = KEYS[1], KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[1])
if not count then return redis.error_reply('SOLOIST_ARGS snapshot') end
local t = redis.call('TIME')
local function text(n) return string.format('%.0f', n) end

local fields = redis.call('HMGET', rec, 'st', 'gen', 'term', 'uid', 'owner', 'fence', 'rterm', 'lu', 'due', 'nb',
  'pend', 'trig', 'slot', 'att', 'pod', 'startedAt', 'lastRun', 'lastStart', 'lastEnd', 'lastPod', 'lastResult',
  'lastSuccess', 'runs', 'misses', 'fails', 'rev', 'sched', 'cancel', 'paused', 'del')
for i = 1, #fields do fields[i] = fields[i] or '' end
local runs = {}
if count > 0 then runs = redis.call('LRANGE', hist, text(-count), '-1') end
return {'OK', text(t[1] * 1000 + math.floor(t[2] / 1000)), text(redis.call('PTTL', lock)),
  redis.call('GET', mark) or '', fields, runs}
