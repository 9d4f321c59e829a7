/**
 * News for every pod: sends what the app wants all pods to hear, and hands the app what others sent, at most once each. It promises no
 * delivery: a pod that is away, not ready or too busy when a broadcast is sent never gets it.
 */
@NullMarked
package dev.soloist.sidecar.broadcast;

import org.jspecify.annotations.NullMarked;
