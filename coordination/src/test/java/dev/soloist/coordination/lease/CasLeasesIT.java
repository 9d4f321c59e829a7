package dev.soloist.coordination.lease;

import dev.soloist.coordination.testkit.CasMode;

/** The same leases on a server without scripts. */
@CasMode
class CasLeasesIT extends LeasesIT {}
