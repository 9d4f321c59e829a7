package dev.soloist.coordination.singleton;

import dev.soloist.coordination.testkit.CasMode;

/** The same storm over a server without scripts: twelve sidecars, two watchdogs and an operator race by compare-and-set. */
@CasMode
class CasSingletonClusterIT extends SingletonClusterIT {}
