package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.TaskId;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.UUID;

/** Task ids as they cross the API: any text of 1 to 256 bytes of UTF-8, compared byte by byte. */
final class Ids {

    private static final int MAX_BYTES = 256;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    static TaskId fromText(String text) throws Refusal {
        try {
            var encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return checked(bytes);
        } catch (CharacterCodingException loneSurrogate) {
            throw new Refusal(ProblemKind.INVALID_ID, "The id holds half a surrogate pair, which is no text.");
        }
    }

    static TaskId fromBytes(byte[] bytes) throws Refusal {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException notUtf8) {
            throw new Refusal(ProblemKind.INVALID_ID, "The percent-encoded id is not UTF-8.");
        }
        return checked(bytes);
    }

    private static TaskId checked(byte[] bytes) throws Refusal {
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new Refusal(
                    ProblemKind.INVALID_ID,
                    "An id has 1 to " + MAX_BYTES + " bytes; this one has " + bytes.length + ".");
        }
        return TaskId.fromBytes(bytes);
    }

    /** A UUIDv7: unique, and near its neighbours in time. Its clock decides nothing. */
    static TaskId create() {
        long millis = System.currentTimeMillis();
        long high = (millis << 16) | 0x7000L | RANDOM.nextInt(0x1000);
        long low = (RANDOM.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return TaskId.of(new UUID(high, low).toString());
    }

    /** The same id for the same Idempotency-Key, so that a repeat without an id of its own names the same task. */
    static TaskId derivedFrom(String key) {
        return TaskId.of(
                UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString());
    }
}
