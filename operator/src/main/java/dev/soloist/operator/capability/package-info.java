/// What the operator finds out about its store, and whose store it is. It promises that a store of another cluster,
/// version or mode is not touched; what that means for a job is said where jobs are reconciled.
@NullMarked
package dev.soloist.operator.capability;

import org.jspecify.annotations.NullMarked;
