-- Purpose: Give the due slot to one instance as a lease with an end and a fence above all earlier ones.
-- KEYS: 1 record (hash), 2 ready (list), 3 delayed (zset), 4 lock (string)
-- ARGV: 1 term (number), 2 instance (text), 3 pod (text), 4 nonce (text), 5 ttl (ms), 6 not after (ms, Redis clock)
-- Returns: OK gen term sequence remaining attempt slot now repeated(0|1) owed(0|1) · EMPTY state wait (ms; -1 = no
--   passing of time helps) · BUSY remaining (-1 = a lock without an end) · STALE_TERM current · TERM_BEHIND record · TOO_LATE ·
--   SPENT · LOST (this nonce's lease is over, the record not yet settled)
-- Atomic: token, lock and record change together; no token is needed, the record decides.
-- Repeat: the same nonce gets the same fence and attempt, with the lease set anew.
-- Time: TIME once
-- Cost: O(1)
local rec, rdy, dly, lock = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, inst, pod, nonce, ttl, notAfter =
  tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if not (term and ttl and ttl > 0 and notAfter) or inst == '' or nonce == '' then
  return redis.error_reply('SOLOIST_ARGS claim')
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function text(n) return string.format('%.0f', n) end

local st, gen, current, owner, its, fence, rterm, lu, due, nb, spent, att, slot, hand = unpack(redis.call('HMGET', rec, 'st',
  'gen', 'term', 'owner', 'nonce', 'fence', 'rterm', 'lu', 'due', 'nb', 'spent', 'att', 'slot', 'hand'))
local held = redis.call('GET', lock)
if not st then return {'EMPTY', 'ABSENT', '-1'} end
current, lu = tonumber(current) or 0, tonumber(lu) or 0
if term < current then return {'STALE_TERM', text(current)} end
if term > current then return {'TERM_BEHIND', text(current)} end
if st == 'RUNNING' and owner == inst and its == nonce then
  if held ~= inst .. '|' .. nonce .. '|' .. fence or lu <= now then return {'LOST'} end
  redis.call('PEXPIRE', lock, text(ttl)) -- set anew: the holder counts from this very call
  redis.call('HSET', rec, 'lu', text(now + ttl))
  return {'OK', gen, rterm, fence, text(ttl), att, slot or due, text(now), '1', hand or '0'}
end
if now > notAfter then return {'TOO_LATE'} end
if spent and string.find(spent, nonce, 1, true) then return {'SPENT'} end
if st == 'RUNNING' then return {'EMPTY', st, text(math.max(0, lu - now))} end
local at = math.max(tonumber(due) or 0, tonumber(nb) or 0)
if st == 'DELAYED' and at > now then return {'EMPTY', st, text(at - now)} end
if st ~= 'READY' and st ~= 'DELAYED' then return {'EMPTY', st, '-1'} end
if held then return {'BUSY', text(redis.call('PTTL', lock))} end

redis.call('DEL', rdy, dly)
-- Microseconds: a clock in ms falls behind a counter that rises faster, and after a flush the fence would fall.
fence = text(math.max((tonumber(fence) or 0) + 1, t[1] * 1000000 + t[2]))
rterm, att = text(current), text((tonumber(att) or 0) + 1)
redis.call('SET', lock, inst .. '|' .. nonce .. '|' .. fence, 'PXAT', text(now + ttl))
redis.call('HSET', rec, 'st', 'RUNNING', 'owner', inst, 'nonce', nonce, 'pod', pod, 'fence', fence, 'rterm', rterm,
  'lu', text(now + ttl), 'startedAt', text(now), 'att', att)
return {'OK', gen, rterm, fence, text(ttl), att, slot or due, text(now), '0', hand or '0'}
