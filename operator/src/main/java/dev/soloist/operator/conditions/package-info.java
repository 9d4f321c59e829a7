/// Conditions as Kubernetes' tools understand them. Pure.
@NullMarked
package dev.soloist.operator.conditions;

import org.jspecify.annotations.NullMarked;
