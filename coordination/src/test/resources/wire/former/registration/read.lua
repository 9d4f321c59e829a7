-- Purpose: read a pod's assignment together with the definitions of the namespace's jobs.
-- KEYS: 1 assignments (hash), 2 jobs (hash)
-- ARGV: 1 pod UID (text)
-- Returns: {OK, assignment, name, definition, name, definition, ...} | {NONE} nothing is known about the pod
-- Atomic: assignment and definitions are of one moment.
-- Repeat: reads only.
-- Time: none
-- Cost: O(jobs of the namespace)
local assignments, jobs, pod = KEYS[1], KEYS[2], ARGV[1]

local assignment = redis.call('HGET', assignments, pod)
if not assignment then
  return {'NONE'}
end
local reply = {'OK', assignment}
for _, element in ipairs(redis.call('HGETALL', jobs)) do
  reply[#reply + 1] = element
end
return reply
