/**
 * Which jobs a pod takes part in, as the operator wrote it. It says nothing about who holds a lease.
 */
@NullMarked
package dev.soloist.coordination.registration;

import org.jspecify.annotations.NullMarked;
