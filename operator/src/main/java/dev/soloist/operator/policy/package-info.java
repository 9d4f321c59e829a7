/// The reconciler of LockPolicy: says in its status what the policy amounts to. It writes nothing to Redis; jobs
/// carry their policy with them.
@NullMarked
package dev.soloist.operator.policy;

import org.jspecify.annotations.NullMarked;
