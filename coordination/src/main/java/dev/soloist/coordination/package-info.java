@NullMarked
package dev.soloist.coordination;

import org.jspecify.annotations.NullMarked;
