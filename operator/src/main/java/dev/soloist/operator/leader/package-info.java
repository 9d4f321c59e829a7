/// Which replica leads. At most one does by the Lease in Kubernetes, but for a moment two may believe so: everything
/// the leader does must be safe with two, and is.
@NullMarked
package dev.soloist.operator.leader;

import org.jspecify.annotations.NullMarked;
