package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.Nonce;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an instance is about to reserve, remembered before the first record is changed, so that a repeat finds what the
 * first try got. The receipt of a task is the nonce and its place here. Immutable.
 *
 * @param nonce of the reservation
 * @param spent nonces of the instance's batches before, the latest first: such a call was answered long ago
 * @param entries what it looked at, in order
 */
record Batch(String nonce, List<String> spent, List<Entry> entries) {

    private static final int REMEMBERED_NONCES = 10;

    /**
     * A task that was judged.
     *
     * @param id of the task
     * @param version of the record then; a record that has not changed since was not taken, and may be by the repeat
     */
    record Entry(TaskId id, long version) {}

    Batch {
        spent = List.copyOf(spent.subList(0, Math.min(spent.size(), REMEMBERED_NONCES)));
        entries = List.copyOf(entries);
    }

    /** What the next batch of the instance knows to be spent. */
    List<String> spentByNext() {
        var all = new ArrayList<>(List.of(nonce));
        all.addAll(spent);
        return all;
    }

    List<TaskId> ids() {
        return entries.stream().map(Entry::id).toList();
    }

    boolean isOf(Nonce other) {
        return nonce.equals(other.value());
    }

    String receipt(int index) {
        return nonce + ":" + (index + 1);
    }

    byte[] write() {
        var raw = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(raw)) {
            out.writeUTF(nonce);
            out.writeUTF(String.join("|", spent));
            out.writeShort(entries.size());
            for (Entry entry : entries) {
                out.writeLong(entry.version());
                out.writeShort(entry.id().bytes().length);
                out.write(entry.id().bytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array does not fail", e);
        }
        return raw.toByteArray();
    }

    static Batch read(byte[] raw) {
        try (var in = new DataInputStream(new ByteArrayInputStream(raw))) {
            String nonce = in.readUTF();
            String spent = in.readUTF();
            int count = in.readUnsignedShort();
            var entries = new ArrayList<Entry>(count);
            for (int i = 0; i < count; i++) {
                long version = in.readLong();
                entries.add(new Entry(TaskId.fromBytes(in.readNBytes(in.readUnsignedShort())), version));
            }
            return new Batch(nonce, spent.isEmpty() ? List.of() : List.of(spent.split("\\|")), entries);
        } catch (IOException e) {
            throw new IllegalStateException("a remembered reservation is not of our form", e);
        }
    }
}
