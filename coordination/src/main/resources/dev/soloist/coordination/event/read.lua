-- Purpose: Read a page of a job's event log, from any point on or the newest first.
-- KEYS: 1 log (stream)
-- ARGV: 1 after (id; 0-0 from the oldest that is kept, empty for the newest first), 2 most events (1 to 1000)
-- Returns: OK length oldest-id newest-id (both empty when nothing is kept) {{id, {field, value..}}..} · OFF message (this
--   server, or what this user may do there, has no streams)
-- Atomic: the page and the bounds are of one moment.
-- Repeat: reads only.
-- Time: none
-- Cost: O(log n + page)
local events, after, max = KEYS[1], ARGV[1], tonumber(ARGV[2])
if not max then return redis.error_reply('SOLOIST_ARGS read') end
local length = redis.pcall('XLEN', events)
if type(length) ~= 'number' then
  -- Something else under the log's name is no log: the next event begins it anew.
  if string.find(length.err, 'WRONGTYPE', 1, true) then return {'OK', '0', '', '', {}} end
  return {'OFF', length.err}
end
if length == 0 then return {'OK', '0', '', '', {}} end
local count = string.format('%.0f', max)
local page
if after == '' then
  page = redis.call('XREVRANGE', events, '+', '-', 'COUNT', count)
else
  page = redis.call('XRANGE', events, '(' .. after, '+', 'COUNT', count)
end
local oldest = redis.call('XRANGE', events, '-', '+', 'COUNT', '1')
local newest = redis.call('XREVRANGE', events, '+', '-', 'COUNT', '1')
return {'OK', string.format('%.0f', length), oldest[1][1], newest[1][1], page}
