/**
 * That what is kept in Redis is what docs/wire-format.md says, and that the former version reads and writes it beside this one. Says
 * nothing of versions before the former one.
 */
@NullMarked
package dev.soloist.coordination.wire;

import org.jspecify.annotations.NullMarked;
