-- Purpose: Lists the instances of a job's queue.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash)
-- ARGV: none
-- Returns: {INSTANCES, now ms, {{instance, ACTIVE or FENCED, pod name, lease end ms or 0, segments joined by
--   commas}...}}
-- Atomic: One moment's view.
-- Repeat: Reads only.
-- Time: TIME, once, so that the caller can tell leases that are over.
-- Cost: O(instances).
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all, out = redis.call('HGETALL', KEYS[2]), {}
for i = 1, #all, 2 do
  local state, pod, segments = string.match(all[i + 1], '^(%u+)|([^|]*)|(.*)$')
  local over = redis.call('ZSCORE', KEYS[1], all[i]) or 0
  if state then out[#out + 1] = {all[i], state, pod, string.format('%.0f', over), segments} end
end
return {'INSTANCES', string.format('%.0f', now), out}
