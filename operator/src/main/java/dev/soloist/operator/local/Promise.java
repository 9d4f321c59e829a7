package dev.soloist.operator.local;

/// One thing that was promised, and what was seen of it.
record Promise(String promised, boolean kept, String seen) {

    @Override
    public String toString() {
        return String.format("  %s %-32s %s", kept ? "kept  " : "BROKEN", promised, seen);
    }
}
