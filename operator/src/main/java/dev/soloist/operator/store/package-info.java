/// The operator's access to Redis, and the access it gives to each namespace: a user of its own and a Secret that
/// tells it. It promises that a namespace reaches its own keys only; where the store refuses such a user, it says so
/// and gives none.
@NullMarked
package dev.soloist.operator.store;

import org.jspecify.annotations.NullMarked;
