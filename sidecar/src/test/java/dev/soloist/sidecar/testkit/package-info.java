/** A pod, an app and an operator's hand for the tests of this module. Nothing here is shipped. */
@NullMarked
package dev.soloist.sidecar.testkit;

import org.jspecify.annotations.NullMarked;
