/**
 * Work with a server that has no scripts but can compare and set one string (Pika): the same Lua files, carried out here
 * on the one string that holds all keys of a job. Promises less than scripts on the server do: see docs/decisions/0008.
 */
@NullMarked
package dev.soloist.coordination.cas;

import org.jspecify.annotations.NullMarked;
