-- Purpose: Enters a new instance of a job's queue with an empty segment of its own.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash)
-- ARGV: 1 instance (text), 2 pod UID (text), 3 pod name (text), 4 lease (ms)
-- Returns: {REGISTERED, {other instances of the same pod...}} or {FENCED}: this instance was fenced before, take a
--   new name
-- Atomic: Membership and lease appear together.
-- Repeat: Renews the lease of an active instance.
-- Time: TIME, once.
-- Cost: O(instances).
local leases, members, inst, uid = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all, mine, before = redis.call('HGETALL', members), nil, {}
for i = 1, #all, 2 do
  local other = all[i]
  if other == inst then
    mine = all[i + 1]
  elseif string.sub(other, 1, #uid + 1) == uid .. '-' and #other == #inst then
    before[#before + 1] = other
  end
end
if mine and string.sub(mine, 1, 7) ~= 'ACTIVE|' then return {'FENCED'} end
redis.call('ZREM', leases, inst)
redis.call('ZADD', leases, string.format('%.0f', now + ARGV[4]), inst)
if not mine then redis.call('HSET', members, inst, 'ACTIVE|' .. ARGV[3] .. '|' .. inst) end
return {'REGISTERED', before}
