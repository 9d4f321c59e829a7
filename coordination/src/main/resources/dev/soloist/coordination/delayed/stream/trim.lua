-- Purpose: Drops the oldest entries that were handled: those past the retention, and those beyond the greatest length.
-- KEYS: 1 taskStream (stream)
-- ARGV: 1 retention (ms), 2 greatest length (number)
-- Returns: {TRIMMED, entries dropped}
-- Atomic: Nothing from the first pending entry on is dropped, nor what the group has not read.
-- Repeat: Drops the next ones.
-- Time: TIME, once.
-- Cost: O(entries dropped), at most 1000 by age and 64 by length; the latter are read with their payloads.
local stream, time = KEYS[1], redis.call('TIME')
local function pair(id)
  local ms, seq = string.match(id, '^(%d+)%-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function earlier(a, b)
  local ms, seq = pair(a)
  local other, last = pair(b)
  return (ms < other or (ms == other and seq < last)) and a or b
end
local groups = redis.pcall('XINFO', 'GROUPS', stream)
if groups.err then return {'TRIMMED', 0} end
local safe
for _, row in ipairs(groups) do
  local group = {}
  for i = 1, #row, 2 do group[row[i]] = row[i + 1] end
  if group.name == 'soloist' then safe = group['last-delivered-id'] end
end
-- Without its group nobody can say what is pending: reserve makes it anew first.
if not safe then return {'TRIMMED', 0} end
local first = redis.call('XPENDING', stream, 'soloist')[2]
if first then safe = earlier(safe, first) end
local old = string.format('%.0f', math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1])) .. '-0'
local dropped = redis.call('XTRIM', stream, 'MINID', '~', earlier(old, safe), 'LIMIT', 1000)
local excess = math.min(redis.call('XLEN', stream) - ARGV[2], 64)
if excess > 0 then
  local head = redis.call('XRANGE', stream, '-', '+', 'COUNT', excess + 1)
  local bound = head[excess + 1] and head[excess + 1][1] or safe
  dropped = dropped + redis.call('XTRIM', stream, 'MINID', earlier(bound, safe))
end
return {'TRIMMED', dropped}
