@NullMarked
package dev.soloist.operator;

import org.jspecify.annotations.NullMarked;
