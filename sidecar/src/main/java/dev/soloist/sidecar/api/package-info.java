/**
 * The localhost API: strict input, bearer token, RFC 9457 problems, the OpenAPI document that a test holds it to.
 * Keeps no state of its own; every answer with 2xx was given by Redis.
 */
@NullMarked
package dev.soloist.sidecar.api;

import org.jspecify.annotations.NullMarked;
