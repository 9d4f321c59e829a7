/// The operator's meters: their names in one place, with bounded labels. It measures and never decides.
@NullMarked
package dev.soloist.operator.metrics;

import org.jspecify.annotations.NullMarked;
