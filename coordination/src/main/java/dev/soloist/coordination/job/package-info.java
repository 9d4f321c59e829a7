/**
 * What the operator tells the sidecars about a job. Defaults have been filled in before; nothing here is optional by silence.
 */
@NullMarked
package dev.soloist.coordination.job;

import org.jspecify.annotations.NullMarked;
