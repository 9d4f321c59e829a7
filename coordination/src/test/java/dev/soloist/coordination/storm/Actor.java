package dev.soloist.coordination.storm;

/** Somebody who does one small thing whenever it is its turn: at most one call to Redis. */
interface Actor {

    /** Does the next thing. May end with {@link NoAnswer}: then the answer to its call is not known to it. */
    void step();
}
