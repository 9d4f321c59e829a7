/** The whole of Soloist on a real cluster: what a user applies, and what then must and must not happen. */
@NullMarked
package dev.soloist.e2e;

import org.jspecify.annotations.NullMarked;
