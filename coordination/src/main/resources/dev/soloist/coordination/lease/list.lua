-- Purpose: Read the living leases of a namespace, those that end soonest first.
-- KEYS: 1 leases (hash), 2 leaseEnds (zset)
-- ARGV: 1 ending within (ms; -1 = whenever), 2 most wanted (1 to 1000)
-- Returns: OK now {member, end (ms), record ..}
-- Atomic: all of one moment; a lease that is over is not among them, whether removed yet or not.
-- Repeat: reads only.
-- Time: TIME once
-- Cost: O(log n + wanted)
local leases, ends, within, most = KEYS[1], KEYS[2], tonumber(ARGV[1]), tonumber(ARGV[2])
if not (within and most and most > 0) then return redis.error_reply('SOLOIST_ARGS list') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

local found = redis.call('ZRANGE', ends, '(' .. text(now), within < 0 and '+inf' or text(now + within), 'BYSCORE',
  'LIMIT', '0', text(most), 'WITHSCORES')
local members = {}
for i = 1, #found, 2 do members[#members + 1] = found[i] end
local records, living = #members > 0 and redis.call('HMGET', leases, unpack(members)) or {}, {}
for i = 1, #members do
  if records[i] then
    living[#living + 1], living[#living + 2], living[#living + 3] = members[i], text(found[2 * i]), records[i]
  end
end
return {'OK', text(now), living}
