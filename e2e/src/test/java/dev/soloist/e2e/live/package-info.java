/**
 * Sidecars and operator as processes of this machine, with a real Redis, API server and Prometheus around them; the test plays the
 * kubelet. No container, no scheduler: what a node does to a pod is written into its status by hand.
 */
@NullMarked
package dev.soloist.e2e.live;

import org.jspecify.annotations.NullMarked;
