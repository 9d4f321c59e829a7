/**
 * The Grafana dashboard as data: rows of panels with their queries, written to {@code config/grafana/soloist.json}, and the rules it
 * must keep. Says nothing of how Grafana draws beyond what the JSON model has.
 */
@NullMarked
package dev.soloist.e2e.dashboard;

import org.jspecify.annotations.NullMarked;
