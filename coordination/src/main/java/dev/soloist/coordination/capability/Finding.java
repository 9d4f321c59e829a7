package dev.soloist.coordination.capability;

/**
 * What came of one trial. Immutable.
 *
 * @param said the server's own words when it was not a yes; else empty
 */
public record Finding(State state, String said) {

    /** Kinds of answers, from best to worst. */
    public enum State {
        YES,
        /** Nobody needed to know. */
        UNTRIED,
        /** It does something else than what we mean by it. */
        NO,
        /** Our user may not. */
        FORBIDDEN,
        /** The server does not know such a command or option. */
        UNKNOWN
    }

    static final Finding YES = new Finding(State.YES, "");
    static final Finding UNTRIED = new Finding(State.UNTRIED, "");

    static Finding no(String said) {
        return new Finding(State.NO, said);
    }

    static Finding of(boolean yes, String otherwise) {
        return yes ? YES : no(otherwise);
    }

    /** Whether it was tried and works. */
    public boolean isYes() {
        return state == State.YES;
    }

    static Finding worse(Finding a, Finding b) {
        return a.state.compareTo(b.state) >= 0 ? a : b;
    }
}
