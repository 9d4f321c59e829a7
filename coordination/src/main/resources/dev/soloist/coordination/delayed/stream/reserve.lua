-- Purpose: Enters the tasks that reserve hands out into the stream, each pending with its holder; goes around reserve.
-- KEYS: 1 attempts (hash), 2 taskStream (stream), 3 streamEntries (hash), 4 streamMark (hash)
-- ARGV: 1 instance (text)
-- Returns: {STREAMED, 1 if a stream or group that was lost has been made anew, reserve's own reply}
-- Atomic: A task that is handed out is pending in the group, in the step that hands it out.
-- Repeat: As reserve; a task that goes out again by the same receipt keeps its entry.
-- Time: TIME, once, when the group has to be made.
-- Cost: O(batch log n), and each payload is copied three times.
local attempts, stream, entries, mark, inst = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]
local function int(n) return string.format('%.0f', n) end
-- A key of a wrong type has to fail here, before the first write: there is no roll-back.
redis.call('XLEN', stream)
redis.call('HLEN', entries)
redis.call('HLEN', mark)
local reply = base()
if reply[1] ~= 'RESERVED' then return {'STREAMED', 0, reply} end

local fresh, links = {}, {}
for _, task in ipairs(reply[4]) do
  local id, receipt = task[1], task[7]
  local old, held = string.match(redis.call('HGET', entries, 'i' .. id) or '', '^([^|]*)|(.*)$')
  if held ~= receipt then
    if old then -- of a delivery that was swept: the task is in the stream once
      redis.call('XACK', stream, 'soloist', old)
      redis.call('XDEL', stream, old)
      redis.call('HDEL', entries, 'e' .. old)
    end
    local prio = string.match(redis.call('HGET', attempts, id), '^%a|(%d)')
    local entry = redis.call('XADD', stream, '*', 'id', id, 'priority', prio, 'due', task[5], 'attempt', task[4],
      'type', task[2], 'payload', task[3])
    fresh[#fresh + 1] = entry
    for _, text in ipairs({'i' .. id, entry .. '|' .. receipt, 'e' .. entry, id}) do links[#links + 1] = text end
  end
end
if #fresh == 0 then return {'STREAMED', 0, reply} end

local function read()
  return redis.pcall('XREADGROUP', 'GROUP', 'soloist', inst, 'COUNT', #fresh + 10, 'STREAMS', stream, '>')
end
local got, lost = read(), 0
if got and got.err then
  -- It begins where these entries do: what stands before them was handled, and every waiting task is elsewhere.
  local ms, seq = string.match(fresh[1], '^(%d+)%-(%d+)$')
  local before = seq == '0' and int(ms - 1) .. '-18446744073709551615' or ms .. '-' .. int(seq - 1)
  redis.call('XGROUP', 'CREATE', stream, 'soloist', before)
  local time = redis.call('TIME')
  local now = int(time[1] * 1000 + math.floor(time[2] / 1000))
  lost = redis.call('HGET', mark, 'made') and 1 or 0
  redis.call('DEL', entries)
  redis.call('HSET', mark, 'made', now)
  if lost == 1 then
    redis.call('HSET', mark, 'lost', int((redis.call('HGET', mark, 'lost') or 0) + 1), 'lostAt', now)
  end
  got = read()
end
redis.call('HSET', entries, unpack(links))
for _, row in ipairs(got and got[1][2] or {}) do
  -- Somebody else's entry, or one whose task has ended before the group came by: nobody else would ever end it.
  if not redis.call('HGET', entries, 'e' .. row[1]) then redis.call('XACK', stream, 'soloist', row[1]) end
end
return {'STREAMED', lost, reply}
