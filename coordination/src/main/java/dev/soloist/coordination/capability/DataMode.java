package dev.soloist.coordination.capability;

import java.util.Arrays;
import java.util.Optional;

/** In which form the data are kept: by scripts, or by compare-and-set alone. Neither can read what the other wrote. */
public enum DataMode {
    /** Each step is one script. */
    SCRIPTED("Scripted"),
    /** Each step is a compare-and-set of one key; fewer promises. */
    CAS("Cas");

    private final String word;

    DataMode(String word) {
        this.word = word;
    }

    /** As Secrets, status and metrics say it. */
    public String word() {
        return word;
    }

    /** The mode of that word. */
    public static Optional<DataMode> of(String word) {
        return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
    }
}
