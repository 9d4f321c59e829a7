package dev.soloist.coordination.link;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Wraps keys of PKCS#1 (RSA, RFC 8017 A.1.2) and SEC 1 (EC, RFC 5915) into PKCS#8 (RFC 5208), the only form that the JDK
 * reads. cert-manager writes the older forms unless it is told otherwise. Pure.
 */
final class Pkcs8 {

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xa0;

    private Pkcs8() {}

    static byte[] ofRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION_0, RSA, element(OCTETS, pkcs1));
    }

    static byte[] ofEc(byte[] sec1) {
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve(sec1)), element(OCTETS, sec1));
    }

    /** The named curve: the content of the element [0] after the version and the key itself. */
    private static byte[] curve(byte[] sec1) {
        int at = contentAt(sec1, 0);
        while (at < sec1.length) {
            int content = contentAt(sec1, at);
            int end = content + length(sec1, at);
            if ((sec1[at] & 0xff) == PARAMETERS) {
                return Arrays.copyOfRange(sec1, content, end);
            }
            at = end;
        }
        throw new IndexOutOfBoundsException("an EC key without its curve");
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    private static int contentAt(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length < 0x80) {
            whole.write(length);
        } else if (length < 0x100) {
            whole.write(0x81);
            whole.write(length);
        } else {
            whole.write(0x82);
            whole.write(length >> 8);
            whole.write(length);
        }
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
