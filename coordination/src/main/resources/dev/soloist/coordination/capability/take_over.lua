-- Purpose: Make the installation's data the property of another cluster.
-- KEYS: 1 meta (string)
-- ARGV: 1 seen (text), 2 ours (text)
-- Returns: OK · CHANGED (it is not what was seen; nothing written)
-- Atomic: compare and set.
-- Repeat: answers CHANGED; the caller reads again and finds its own.
-- Time: none
-- Cost: O(1)
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'CHANGED'} end
redis.call('DEL', KEYS[1]) -- a first write that needs no memory lets the rest pass on a full server
redis.call('SET', KEYS[1], ARGV[2])
return {'OK'}
