/**
 * What happened in a run, as Redis itself, the holders and the apps tell it, and the rules that it has to keep. The rules look at a
 * recorded history only; they neither drive a run nor know which code made it.
 */
@NullMarked
package dev.soloist.coordination.history;

import org.jspecify.annotations.NullMarked;
