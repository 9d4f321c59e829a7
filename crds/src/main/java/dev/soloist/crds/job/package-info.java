/// The kind DistributedJob: what a user writes, what the operator reports, the rules and the defaults.
///
/// Promises that the API server and Java refuse the same specs with the same sentences and fill in the same
/// defaults. Does not look at other objects: whether a LockPolicy or a pod exists is the operator's business.
@NullMarked
package dev.soloist.crds.job;

import org.jspecify.annotations.NullMarked;
