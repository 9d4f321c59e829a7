/**
 * Leases that apps ask for by name, and the list of all leases of a namespace: at most one valid holder of a name at any
 * moment of the Redis clock, each with a rising fence. Does not renew by itself, and does not know who asks.
 */
@NullMarked
package dev.soloist.coordination.lease;

import org.jspecify.annotations.NullMarked;
