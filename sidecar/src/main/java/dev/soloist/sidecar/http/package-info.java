/**
 * A small HTTP/1.1 server: strict about what it reads, bounded in what it keeps, and every refusal is the handler's to word.
 * No TLS, no HTTP/2, no pipelining beyond one request after the other; made for callers in the same pod and for scrapes.
 */
@NullMarked
package dev.soloist.sidecar.http;

import org.jspecify.annotations.NullMarked;
