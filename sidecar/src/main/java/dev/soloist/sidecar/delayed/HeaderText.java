package dev.soloist.sidecar.delayed;

/** An id as a header value: visible ASCII as it is, everything else and the percent sign percent-encoded, as in a path. */
final class HeaderText {

    private HeaderText() {}

    static String encode(byte[] id) {
        var text = new StringBuilder(id.length);
        for (byte b : id) {
            if (b > 0x20 && b < 0x7f && b != '%') {
                text.append((char) b);
            } else {
                text.append('%').append(hex(b >> 4 & 0xf)).append(hex(b & 0xf));
            }
        }
        return text.toString();
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }
}
