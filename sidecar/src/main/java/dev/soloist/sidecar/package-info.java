@NullMarked
package dev.soloist.sidecar;

import org.jspecify.annotations.NullMarked;
