/**
 * The texts that cross the API: Go-style durations, RFC 3339 instants, and JSON read strictly by tokens.
 * Binds nothing to objects and keeps payload bytes as they came.
 */
@NullMarked
package dev.soloist.sidecar.json;

import org.jspecify.annotations.NullMarked;
