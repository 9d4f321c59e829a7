/** Tests of delayed tasks on a server without scripts, played by a stand-in. */
@NullMarked
package dev.soloist.coordination.delayed.cas;

import org.jspecify.annotations.NullMarked;
