-- Purpose: Remove, at a person's wish, a lock that fits no run of the record.
-- KEYS: 1 record (hash), 2 lock (string)
-- ARGV: 1 seen (text; the lock that is meant, empty to look only), 2 term (number), 3 wake channel (text)
-- Returns: NONE (no lock) · OWNED (the lease of the run in progress; never taken) · FOREIGN value (there, and not the one
--   that was meant) · UNLOCKED
-- Atomic: what is removed is what was seen, and the next claims carry the higher term.
-- Repeat: answers NONE.
-- Time: none
-- Cost: O(1)
local rec, lock, seen, term, wake = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3]
if not term then return redis.error_reply('SOLOIST_ARGS unlock') end
if redis.call('EXISTS', lock) == 0 then return {'NONE'} end
local held = redis.pcall('GET', lock)
if type(held) == 'table' then held = '(not a text)' end

local st, owner, nonce, fence, current = unpack(redis.call('HMGET', rec, 'st', 'owner', 'nonce', 'fence', 'term'))
if st == 'RUNNING' and owner and nonce and fence and held == owner .. '|' .. nonce .. '|' .. fence then
  return {'OWNED'}
end
if seen == '' or held ~= seen then return {'FOREIGN', held} end
redis.call('DEL', lock)
if current then
  redis.call('HSET', rec, 'term', string.format('%.0f', math.max(term, tonumber(current) or 0)))
end
redis.call('PUBLISH', wake, 'ready')
return {'UNLOCKED'}
