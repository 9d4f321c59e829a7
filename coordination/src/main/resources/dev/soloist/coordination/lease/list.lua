-- Purpose: Read the living leases of a namespace, those that end soonest first, from a point on.
-- KEYS: 1 leases (hash), 2 leaseEnds (zset)
-- ARGV: 1 ending within (ms; -1 = whenever), 2 most wanted (1 to 1000), 3 after end (ms; empty = from the first), 4 after
--   member (bytes; among those of that end, in the order of their bytes)
-- Returns: OK now {member, end (ms), record ..} end member (of the last that was looked at, to read on from; both empty
--   when there is no other)
-- Atomic: all of one moment; a lease that is over is not among them, whether removed yet or not. No end moves back while
--   its lease lives, so who reads on misses none that lives throughout; one that is renewed may come again.
-- Repeat: reads only.
-- Time: TIME once
-- Cost: O(log n + wanted + those of the same end)
local leases, ends, within, most = KEYS[1], KEYS[2], tonumber(ARGV[1]), tonumber(ARGV[2])
local past, last = tonumber(ARGV[3]), ARGV[4]
if not (within and most and most > 0) then return redis.error_reply('SOLOIST_ARGS list') end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end
-- Not '<': the server's own locale may have another order for that than a sorted set has.
local function isBehind(member)
  for i = 1, math.min(#member, #last) do
    local a, b = string.byte(member, i), string.byte(last, i)
    if a ~= b then return a > b end
  end
  return #member > #last
end

local upTo = within < 0 and '+inf' or text(now + within)
local members, whens = {}, {}
local function look(from, to, limit, chosen)
  local found = redis.call('ZRANGE', ends, from, to, 'BYSCORE', 'LIMIT', '0', text(limit), 'WITHSCORES')
  for i = 1, #found, 2 do
    if #members < most and (not chosen or chosen(found[i])) then
      members[#members + 1], whens[#whens + 1] = found[i], text(found[i + 1])
    end
  end
end
if past and past > now then
  look(text(past), text(past), 100000, isBehind)
else
  past = now
end
if #members < most then look('(' .. text(past), upTo, most - #members) end

local records, living = #members > 0 and redis.call('HMGET', leases, unpack(members)) or {}, {}
for i = 1, #members do
  if records[i] then
    living[#living + 1], living[#living + 2], living[#living + 3] = members[i], whens[i], records[i]
  end
end
local full = #members == most
return {'OK', text(now), living, full and whens[most] or '', full and members[most] or ''}
