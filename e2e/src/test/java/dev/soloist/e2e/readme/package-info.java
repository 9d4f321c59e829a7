/**
 * The READMEs of examples/ as what a reader does: commands in their order, and what each is said to print.
 * Runs nothing itself; whoever has a cluster does.
 */
@NullMarked
package dev.soloist.e2e.readme;

import org.jspecify.annotations.NullMarked;
