-- Purpose: Drop the event log that a deleted namesake has left, before the first seed of a job.
-- KEYS: 1 record (hash), 2 log (stream)
-- ARGV: 1 uid (text)
-- Returns: BEGUN removed (0 or 1) · KEPT (the record is this job's, or a living namesake's: its log is not touched)
-- Atomic: while there is no record of this job no run of it can have ended, so nothing of its own is dropped.
-- Repeat: drops nothing more; KEPT once the job is seeded.
-- Time: none
-- Cost: O(log)
local rec, events, uid = KEYS[1], KEYS[2], ARGV[1]
if uid == '' then return redis.error_reply('SOLOIST_ARGS begin_log') end
local st, was = unpack(redis.call('HMGET', rec, 'st', 'uid'))
if (st and st ~= 'DELETED') or was == uid or was == 'moved:' .. uid then return {'KEPT'} end
return {'BEGUN', redis.call('DEL', events)}
