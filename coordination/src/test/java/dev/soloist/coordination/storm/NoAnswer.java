package dev.soloist.coordination.storm;

/** No answer came: the call was done, is done later, or never. */
final class NoAnswer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoAnswer(String why) {
        super(why, null, false, false);
    }
}
