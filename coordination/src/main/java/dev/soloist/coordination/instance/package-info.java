/**
 * Who takes part in a job's queue: instances with a lease each, and the segments they look after. Fencing ends an
 * instance's rights on evidence; it does not and cannot promise that the process behind it has stopped.
 */
@NullMarked
package dev.soloist.coordination.instance;

import org.jspecify.annotations.NullMarked;
