-- Purpose: Reads what the stream holds, and takes note of losses that people have been told of.
-- KEYS: 1 taskStream (stream), 2 streamMark (hash)
-- ARGV: 1 losses that were told (number, 0 to only look)
-- Returns: {STREAM, entries, ms of the first entry or nil, pending entries, consumers, times it was lost, ms of the last
--   loss or nil, losses that were told}
-- Atomic: One moment's view.
-- Repeat: The same.
-- Time: none.
-- Cost: O(consumers), and one payload is read.
local stream, mark = KEYS[1], KEYS[2]
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', mark, 'told') or 0) then
  -- Nothing is removed here; it is a write that needs no memory, so that a full server takes the next one.
  redis.call('HDEL', mark, '')
  redis.call('HSET', mark, 'told', ARGV[1])
end
local first = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
local pending = redis.pcall('XPENDING', stream, 'soloist')
local consumers = redis.pcall('XINFO', 'CONSUMERS', stream, 'soloist')
return {'STREAM', redis.call('XLEN', stream), first and string.match(first[1], '^%d+') or false,
  pending.err and 0 or pending[1], consumers.err and 0 or #consumers, redis.call('HGET', mark, 'lost') or 0,
  redis.call('HGET', mark, 'lostAt'), redis.call('HGET', mark, 'told') or 0}
