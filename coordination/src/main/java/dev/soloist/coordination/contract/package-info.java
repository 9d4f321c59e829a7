/**
 * What the injector writes into a pod and the sidecar and the app read there: names of variables, files and ports, each spelled once.
 * Holds no behaviour and no secrets; what the files contain is the business of those who write and read them.
 */
@NullMarked
package dev.soloist.coordination.contract;

import org.jspecify.annotations.NullMarked;
