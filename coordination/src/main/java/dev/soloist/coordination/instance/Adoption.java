package dev.soloist.coordination.instance;

import java.util.List;

/** The answer to adopting. */
public sealed interface Adoption {

    /**
     * The living instance looks after the segments from now on.
     *
     * @param segments those that changed hands
     */
    record Adopted(List<String> segments) implements Adoption {}

    /** The dead instance is not listed: somebody else was first. */
    record Gone() implements Adoption {}

    /** The dead instance is not fenced. */
    record NotFenced() implements Adoption {}

    /** The living instance is fenced or not listed. */
    record NotLiving() implements Adoption {}
}
