-- Purpose: Write events of a job's log in another place behind those of this one, under the ids they have.
-- KEYS: 1 log (stream)
-- ARGV: 1 log length (number), 2.. for each event its id, how many texts follow, and its fields with their values (bytes)
-- Returns: COPIED n (an event that is not newer than the newest here is passed over)
-- Atomic: a page.
-- Repeat: COPIED 0.
-- Time: none
-- Cost: O(page)
local events, keep = KEYS[1], tonumber(ARGV[1])
if not keep or keep < 1 then return redis.error_reply('SOLOIST_ARGS copy') end
local newest = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', '1')
if newest.err and string.find(newest.err, 'WRONGTYPE', 1, true) then redis.call('DEL', events) end -- that is no log
redis.call('XTRIM', events, 'MAXLEN', ARGV[1]) -- a first write that needs no memory lets the rest pass on a full server
local function parts(id)
  local ms, n = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(n)
end
local ms, n = parts(newest[1] and newest[1][1] or '0-0')
local at, copied = 2, 0
while at < #ARGV do
  local itsMs, itsN = parts(ARGV[at])
  local texts = tonumber(ARGV[at + 1])
  if itsMs > ms or (itsMs == ms and itsN > n) then
    redis.call('XADD', events, 'MAXLEN', ARGV[1], ARGV[at], unpack(ARGV, at + 2, at + 1 + texts))
    copied = copied + 1
  end
  at = at + 2 + texts
end
return {'COPIED', string.format('%.0f', copied)}
