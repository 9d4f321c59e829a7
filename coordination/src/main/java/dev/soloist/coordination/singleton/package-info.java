/**
 * One run at a time of a job that all pods share: at most one valid holder by lease, each with a fence above all earlier
 * ones, and the next slot set in the same step that ends a run. It does not promise that a former holder has stopped, nor
 * anything about data that Redis has lost: outside effects need the fence.
 */
@NullMarked
package dev.soloist.coordination.singleton;

import org.jspecify.annotations.NullMarked;
