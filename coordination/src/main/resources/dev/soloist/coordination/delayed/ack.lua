-- Purpose: Ends tasks that were handled: removes them and remembers their ids for the retention.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 inFlight (zset), 4 done (hash), 5 doneExpiry (zset), 6
--   deduplication (hash)
-- ARGV: 1 retention (ms, 0 for none), 2.. pairs of task id and receipt (bytes, up to 100 pairs)
-- Returns: {ACKS, one of ACKED REPEATED or STALE per pair}
-- Atomic: Each task is recorded in full or gone and remembered; its deduplication key is settled until its window ends.
-- Repeat: REPEATED while the id is remembered, and remembered anew with the same; STALE without retention.
-- Time: TIME, once.
-- Cost: O(batch log n), and three reads of the hash for each task of a job that deduplicates, plus two expired done ids per pair and ten.
local tasks, attempts, inFlight, done, expiry = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local retention = tonumber(ARGV[1])
local forgotten = string.format('%.0f', now + retention)
redis.call('ZCARD', expiry)
redis.call('ZCARD', inFlight)
redis.call('HLEN', done)
local keys = redis.call('HLEN', KEYS[6]) > 0 and KEYS[6]
local out = {'ACKS'}
for i = 2, #ARGV, 2 do
  local id, receipt = ARGV[i], ARGV[i + 1]
  local st, att, held, due, reqs = string.match(redis.call('HGET', attempts, id) or '',
    '^(%a)|%d|(%d+)|([^|]*)|[^|]*|(%d+)|%d|([^|]*)|')
  if st == 'I' and held == receipt then
    redis.call('ZREM', inFlight, id)
    redis.call('HDEL', attempts, id)
    redis.call('HDEL', tasks, id)
    if retention > 0 then
      redis.call('HSET', done, id, table.concat({'D', due, att, receipt, reqs}, '|'))
      redis.call('ZADD', expiry, forgotten, id)
    end
    -- What was handled cannot be withdrawn any more, so the key stays taken for what is left of its window.
    if keys then
      local key = redis.call('HGET', keys, 't' .. id) or id
      local window, by = string.match(redis.call('HGET', keys, 'k' .. key) or '', '^P(|%d+|%d+|)(.*)$')
      redis.call('HDEL', keys, 't' .. id)
      if by == id then redis.call('HSET', keys, 'k' .. key, 'S' .. window .. id) end
    end
    out[#out + 1] = 'ACKED'
  else
    local known = redis.call('HGET', done, id)
    local how, before = string.match(known or '', '^(%a)|%d+|%d+|([^|]*)|')
    local again = how == 'D' and before == receipt
    -- Written anew, so that a caller whom replicas have to acknowledge it can wait for this write: the first may have missed them.
    if again then
      -- Removing nothing is a write that needs no memory: it lets the next one through on a full server.
      redis.call('HDEL', done, '')
      redis.call('HSET', done, id, known)
    end
    out[#out + 1] = again and 'REPEATED' or 'STALE'
  end
end
local over = redis.call('ZRANGE', expiry, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, #ARGV + 9)
if #over > 0 then
  redis.call('ZREM', expiry, unpack(over))
  redis.call('HDEL', done, unpack(over))
end
return out
