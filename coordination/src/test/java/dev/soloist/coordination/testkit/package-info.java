/** Real Redis processes and broken links between them and us, for tests of every module. Nothing here is shipped. */
@NullMarked
package dev.soloist.coordination.testkit;

import org.jspecify.annotations.NullMarked;
