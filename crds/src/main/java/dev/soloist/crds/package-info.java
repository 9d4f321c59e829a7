@NullMarked
package dev.soloist.crds;

import org.jspecify.annotations.NullMarked;
