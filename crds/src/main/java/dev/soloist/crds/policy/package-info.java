/// The kind LockPolicy: how the lease of a singleton is held, watched and given back.
///
/// Promises that a policy which would let a run overlap or a recovery come too late is refused, by the API server
/// and by Java, with the same sentence. Does not hold leases.
@NullMarked
package dev.soloist.crds.policy;

import org.jspecify.annotations.NullMarked;
