/// What tests of the operator share: a real API server, a real Redis, and ways to wait for facts.
package dev.soloist.operator.testkit;
