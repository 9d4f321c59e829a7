-- Purpose: Lists dead tasks, the latest first.
-- KEYS: 1 attempts (hash), 2 dead (zset)
-- ARGV: 1 how many to skip (number), 2 most tasks (up to 100)
-- Returns: {DEAD, {{id, died ms, due ms, attempts, last error}...}}
-- Atomic: One moment's view.
-- Repeat: Reads only.
-- Time: none.
-- Cost: O(log n + batch).
local page = redis.call('ZRANGE', KEYS[2], ARGV[1], ARGV[1] + ARGV[2] - 1, 'REV', 'WITHSCORES')
local out = {}
for i = 1, #page, 2 do
  local att, due, err = string.match(redis.call('HGET', KEYS[1], page[i]) or '',
    '^%a|%d|(%d+)|[^|]*|[^|]*|(%d+)|%d|[^|]*|(.*)$')
  local died = string.format('%.0f', page[i + 1])
  out[#out + 1] = {page[i], died, due or died, att or 0, err or ''}
end
return {'DEAD', out}
