package dev.soloist.coordination.storm;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Whether what is pending in a job's stream, what is in the stream, what is known of both and what is held go together. Used by one
 * thread.
 */
final class StreamLook {

    /**
     * At one moment: each pending entry is in the stream and known by its task, and nothing else is; where all is handed out by
     * stream and none is lost, each held task has a pending entry.
     */
    private static final String SCRIPT = """
            local stream, entries = KEYS[1], KEYS[2]
            local bad, pending = {}, {}
            local page = redis.pcall('XPENDING', stream, 'soloist', '-', '+', '10000')
            if page.err then return bad end
            for _, row in ipairs(page) do
              pending[row[1]] = true
              if #redis.call('XRANGE', stream, row[1], row[1]) == 0 then bad[#bad + 1] = 'pending, but not in the stream' end
            end
            local known = redis.call('HGETALL', entries)
            for i = 1, #known, 2 do
              local kind, name = string.sub(known[i], 1, 1), string.sub(known[i], 2)
              if kind == 'e' then
                if not pending[name] then bad[#bad + 1] = 'known as held, but not pending' end
                pending[name] = nil
              end
            end
            local held = ARGV[1] == '1' and redis.call('HGETALL', KEYS[3]) or {}
            for i = 1, #held, 2 do
              local st, receipt = string.match(held[i + 1], '^(%a)|%d|%d+|([^|]*)|')
              local link = string.match(redis.call('HGET', entries, 'i' .. held[i]) or '', '^[^|]*|(.*)$')
              if st == 'I' and link ~= receipt then bad[#bad + 1] = 'held by no entry' end
            end
            if next(pending) then bad[#bad + 1] = 'pending, but of no task' end
            return bad""";

    private final RedisLink link;
    private final RedisKeys keys;
    private final boolean strict;

    StreamLook(RedisLink link, RedisKeys keys, boolean strict) {
        this.link = link;
        this.keys = keys;
        this.strict = strict;
    }

    /** What does not go together. */
    List<String> look(JobId job) {
        return link
                .call(
                        "EVAL",
                        SCRIPT,
                        "3",
                        keys.taskStream(job),
                        keys.streamEntries(job),
                        keys.attempts(job),
                        strict ? "1" : "0")
                .stream()
                .map(bad ->
                        bad instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(bad))
                .toList();
    }
}
