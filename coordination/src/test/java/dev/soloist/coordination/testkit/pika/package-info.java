/**
 * A server that answers as Pika does, before a real redis-server, for tests. It proves that our side keeps to Pika's
 * commands and replies; it proves nothing about Pika's own storage, replication or speed.
 */
@NullMarked
package dev.soloist.coordination.testkit.pika;

import org.jspecify.annotations.NullMarked;
