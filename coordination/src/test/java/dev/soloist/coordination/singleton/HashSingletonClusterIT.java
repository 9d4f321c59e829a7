package dev.soloist.coordination.singleton;

import dev.soloist.coordination.testkit.HashLeases;

/** The same storm over leases in the hash of a namespace: all jobs share two keys. */
@HashLeases
class HashSingletonClusterIT extends SingletonClusterIT {}
