/** Tests. */
@NullMarked
package dev.soloist.coordination.cas;

import org.jspecify.annotations.NullMarked;
