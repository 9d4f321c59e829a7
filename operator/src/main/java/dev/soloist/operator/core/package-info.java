/// What the operator does to the shared state in Redis: seed, publish, watch, reclaim, end. Fed by job
/// definitions and by facts about pods, so that a cluster and a bare machine share it; every step may be
/// repeated and may race with itself. It does not know Kubernetes' API.
@NullMarked
package dev.soloist.operator.core;

import org.jspecify.annotations.NullMarked;
