/**
 * Delayed tasks: kept until due, then handed to one holder at a time, at least once, by the Redis clock. It does not know
 * which pods live (that is the neighbour {@code instance}), calls no app, and promises no upper bound on lateness.
 *
 * <p>Two values per task, both texts with bars between the fields. {@code t} is written once:
 * {@code priority|due|request|segment|enqueued|length of content type|content type, payload}. {@code a} exists from the
 * first reservation, move or merge on: {@code state|priority|attempts|receipt|holder or segment|due|cancel|requests|error}
 * with state P(ending), I(n flight) or D(ead); its due overrides that of {@code t}. A finished id is remembered in
 * {@code dn} as {@code D(one) or C(ancelled)|due|attempts|receipt|requests}. Members of segments and ready lists are the
 * priority digit and the id, and are hints: reserving judges them by the record.
 */
@NullMarked
package dev.soloist.coordination.delayed;

import org.jspecify.annotations.NullMarked;
