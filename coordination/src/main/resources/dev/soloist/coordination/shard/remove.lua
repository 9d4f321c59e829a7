-- Purpose: Removes what is kept of a shard, if it holds nothing to remember and nobody takes part in it.
-- KEYS: 1 tasks (hash), 2 done (hash), 3 instanceLeases (zset), 4 instanceMembers (hash), 5.. all other keys of the
--   shard (any)
-- ARGV: none
-- Returns: {REMOVED} · {IN_USE}; nothing was written
-- Atomic: Judgement and removal are one step: whoever registers or records comes before it, and is seen, or after it.
-- Repeat: Finds nothing, REMOVED.
-- Time: TIME, once, to tell leases that are over.
-- Cost: O(instances), and what the event log and the stream hold.
local leases, members = KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HLEN', KEYS[1]) > 0 or redis.call('HLEN', KEYS[2]) > 0 then return {'IN_USE'} end
local all = redis.call('HGETALL', members)
for i = 1, #all, 2 do
  local over = tonumber(redis.call('ZSCORE', leases, all[i]) or 0)
  if string.sub(all[i + 1], 1, 7) == 'ACTIVE|' and over >= now then return {'IN_USE'} end
end
redis.call('DEL', leases, members)
for i = 5, #KEYS do redis.call('DEL', KEYS[i]) end
return {'REMOVED'}
