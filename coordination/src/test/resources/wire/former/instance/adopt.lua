-- Purpose: Hands the segments of a fenced instance to a living one: a change of label, no task is touched.
-- KEYS: 1 instanceLeases (zset), 2 instanceMembers (hash), 3 reservations (hash)
-- ARGV: 1 fenced instance (text), 2 living instance (text), 3 wake channel (text)
-- Returns: {ADOPTED, segments joined by commas}, {GONE}, {NOT_FENCED} or {NOT_LIVING}
-- Atomic: Every segment has one owner at any moment.
-- Repeat: GONE. Of two adopters one wins.
-- Time: none.
-- Cost: O(segments of both).
local members, dead, living = KEYS[2], ARGV[1], ARGV[2]
local gone, heir = redis.call('HGET', members, dead), redis.call('HGET', members, living)
if not gone then return {'GONE'} end
local segments = string.match(gone, '^FENCED|[^|]*|(.*)$')
if not segments then return {'NOT_FENCED'} end
local head, own = string.match(heir or '', '^(ACTIVE|[^|]*|)(.*)$')
if not head then return {'NOT_LIVING'} end
redis.call('HLEN', KEYS[3])
redis.call('ZREM', KEYS[1], dead)
redis.call('HDEL', members, dead)
redis.call('HDEL', KEYS[3], dead)
redis.call('HSET', members, living, head .. own .. ',' .. segments)
redis.call('PUBLISH', ARGV[3], 'adopted')
return {'ADOPTED', segments}
