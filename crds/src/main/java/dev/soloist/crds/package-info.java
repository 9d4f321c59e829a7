/// The words of the API group `soloist.dev`: its names, its durations, and how its objects are read.
///
/// Promises that a name which users, manifests and code share is written once, here. Does not talk to an API
/// server.
@NullMarked
package dev.soloist.crds;

import org.jspecify.annotations.NullMarked;
