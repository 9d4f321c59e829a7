/// The reconciler of DistributedJob: a short list of steps, each of which may stop the pass, and one status at its
/// end. It keeps nothing that matters in memory: what must outlive Redis is in the object's status, everything else
/// is in Redis.
@NullMarked
package dev.soloist.operator.job;

import org.jspecify.annotations.NullMarked;
