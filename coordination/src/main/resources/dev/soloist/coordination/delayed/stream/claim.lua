-- Purpose: Looks at pending entries: takes over those of consumers that are gone, and ends those of which the records say
--   that nobody holds their tasks any more.
-- KEYS: 1 tasks (hash), 2 attempts (hash), 3 done (hash), 4 instanceMembers (hash), 5 taskStream (stream), 6
--   streamEntries (hash)
-- ARGV: 1 instance that takes over (text, empty for none), 2 least age since the last delivery (ms), 3 where to begin
--   (- or an exclusive id), 4 most entries (up to 100)
-- Returns: {CLAIMED, where to go on or - at the end, entries taken over, entries ended}
-- Atomic: Each entry is judged by its record in one step. Taking over touches no task: its deadline decides as ever.
-- Repeat: Finds nothing to do.
-- Time: none.
-- Cost: O(batch log n), no payload is read.
local tasks, attempts, done, members, stream, entries = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local inst, taken, ended = ARGV[1], 0, 0
local page = redis.pcall('XPENDING', stream, 'soloist', 'IDLE', ARGV[2], ARGV[3], '+', ARGV[4])
if page.err then return {'CLAIMED', '-', 0, 0} end
redis.call('HLEN', entries)
for _, row in ipairs(page) do
  local entry, consumer = row[1], row[2]
  local id = redis.call('HGET', entries, 'e' .. entry)
  local link, receipt, st, held
  if id then
    link, receipt = string.match(redis.call('HGET', entries, 'i' .. id) or '', '^([^|]*)|(.*)$')
    st, held = string.match(redis.call('HGET', attempts, id) or '', '^(%a)|%d|%d+|([^|]*)|')
  end
  if link == entry and st == 'I' and held == receipt then
    if inst ~= '' and not redis.call('HGET', members, consumer) then
      redis.call('XCLAIM', stream, 'soloist', inst, 0, entry, 'JUSTID')
      taken = taken + 1
    end
  else
    redis.call('XACK', stream, 'soloist', entry)
    redis.call('HDEL', entries, 'e' .. entry)
    if id then
      if link == entry then redis.call('HDEL', entries, 'i' .. id) end
      local how, last = string.match(redis.call('HGET', done, id) or '', '^(%a)|%d+|%d+|([^|]*)|')
      local handled = how == 'D' and (link ~= entry or last == receipt)
      -- What stays is history, so what is known not to have been handled goes.
      if not handled and (how == 'C' or redis.call('HEXISTS', tasks, id) == 1) then redis.call('XDEL', stream, entry) end
    end
    ended = ended + 1
  end
end
local full = #page == tonumber(ARGV[4])
return {'CLAIMED', full and '(' .. page[#page][1] or '-', taken, ended}
