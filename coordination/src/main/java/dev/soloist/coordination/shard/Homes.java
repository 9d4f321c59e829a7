package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.TaskId;

/**
 * In which shard an id lives. The hash is FNV-1a of 64 bits with the finaliser of MurmurHash3; the shard is chosen by the jump
 * consistent hash of Lamping and Veach (2014), by which a change from n to m shards moves the least possible share of ids.
 * Part of the stored format: another rule would look for tasks where they are not. Pure.
 */
public final class Homes {

    private Homes() {}

    /**
     * The shard of an id.
     *
     * @param count how many shards there are, 1 or more
     */
    public static int of(TaskId id, int count) {
        return count == 1 ? 0 : jump(mixed(id.bytes()), count);
    }

    private static long mixed(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    private static int jump(long seed, int count) {
        long key = seed;
        long bucket = -1;
        long next = 0;
        while (next < count) {
            bucket = next;
            key = key * 2862933555777941757L + 1;
            next = (long) ((bucket + 1) * ((double) (1L << 31) / ((key >>> 33) + 1)));
        }
        return (int) bucket;
    }
}
