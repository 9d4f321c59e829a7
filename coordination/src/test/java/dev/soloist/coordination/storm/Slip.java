package dev.soloist.coordination.storm;

import dev.soloist.coordination.script.LuaScript;

/** A step that those who call the scripts leave out; the scripts stay as they are. */
enum Slip implements Break {
    SECOND_LOOK("an enrolment does not look at the layout again"),
    FORMER_HOMES("nobody asks where an id lived by former counts");

    private final String told;

    Slip(String told) {
        this.told = told;
    }

    @Override
    public LuaScript apply(LuaScript original) {
        return original;
    }

    @Override
    public String toString() {
        return told;
    }
}
