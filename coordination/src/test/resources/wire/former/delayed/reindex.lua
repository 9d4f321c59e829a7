-- Purpose: Puts pending tasks that their segment has lost into the shared segment.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 segment (zset), 4 sharedSegment (zset)
-- ARGV: 1.. members (priority digit and task id, up to 100)
-- Returns: {REINDEXED, count}
-- Atomic: Each task is judged and entered in one step.
-- Repeat: The shared segment holds a member once.
-- Time: none.
-- Cost: O(batch log n).
local count = 0
for i = 1, #ARGV do
  local member, id = ARGV[i], string.sub(ARGV[i], 2)
  local due = string.match(redis.call('HGET', KEYS[1], id) or '', '^%d|(%d+)|')
  local record, st = redis.call('HGET', KEYS[2], id), 'P'
  if record then st, due = string.match(record, '^(%a)|%d|%d+|[^|]*|[^|]*|(%d+)|') end
  if due and st == 'P' and not redis.call('ZSCORE', KEYS[3], member) and not redis.call('ZSCORE', KEYS[4], member) then
    redis.call('ZREM', KEYS[4], member)
    redis.call('ZADD', KEYS[4], due, member)
    count = count + 1
  end
end
return {'REINDEXED', count}
