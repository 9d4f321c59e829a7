package dev.soloist.coordination.cas;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as texts, as C writes them. Pure. */
final class Numbers {

    private Numbers() {}

    /** C's {@code %.<digits>g}. */
    static String format(double number, int digits) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < digits) {
            return rounded.stripTrailingZeros().toPlainString();
        }
        String mantissa = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    /** C's {@code %.<digits>f}. */
    static String fixed(double number, int digits) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return format(number, 1);
        }
        String text =
                new BigDecimal(number).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
        boolean minusZero = !text.startsWith("-") && (number < 0 || (number == 0 && 1 / number < 0));
        return minusZero ? "-" + text : text;
    }
}
