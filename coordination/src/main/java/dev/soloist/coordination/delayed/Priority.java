package dev.soloist.coordination.delayed;

/**
 * Which ready tasks go first. It orders what is due and nothing else: a task that is due goes before one of a lower level,
 * and none waits for ever, for one reservation in eight begins with the lowest level and one with the middle one.
 */
public enum Priority {
    /** Before all others. */
    HIGH(0),
    /** What a task has that names none. */
    NORMAL(1),
    /** When nothing else is due, and now and then besides. */
    LOW(2);

    private final int digit;

    Priority(int digit) {
        this.digit = digit;
    }

    /** The digit by which keys and records tell the levels apart, 0 for the highest. */
    public int digit() {
        return digit;
    }

    /**
     * The level of a digit.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Priority of(int digit) {
        return switch (digit) {
            case 0 -> HIGH;
            case 1 -> NORMAL;
            case 2 -> LOW;
            default -> throw new IllegalArgumentException("priorities are 0 to 2, not " + digit);
        };
    }
}
