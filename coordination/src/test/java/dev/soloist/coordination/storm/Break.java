package dev.soloist.coordination.storm;

import dev.soloist.coordination.script.LuaScript;
import java.util.function.UnaryOperator;

/** Something done wrong on purpose, to see whether the storm finds it. */
sealed interface Break extends UnaryOperator<LuaScript> permits Mutant, Slip {}
