/** Tests of the stream as a transport, on real servers. */
@NullMarked
package dev.soloist.coordination.delayed.stream;

import org.jspecify.annotations.NullMarked;
