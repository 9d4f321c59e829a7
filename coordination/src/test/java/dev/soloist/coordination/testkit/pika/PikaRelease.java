package dev.soloist.coordination.testkit.pika;

/** Which Pika is played: they differ in what they make of milliseconds and of a list moved between two keys. */
public enum PikaRelease {
    /** Whole seconds only: {@code PX 500} divides to nought, which is no expiry at all. A list moves in one batch. */
    V3_5_5("3.5.5", false),
    /** Milliseconds are kept. A list moves in two storage writes, so a crash between them loses the element. */
    V4_0_1("4.0.1", true);

    final String version;
    final boolean keepsMillis;

    PikaRelease(String version, boolean keepsMillis) {
        this.version = version;
        this.keepsMillis = keepsMillis;
    }
}
