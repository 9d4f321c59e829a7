/** That the models of the protocol hold, and that they speak of the scripts that are shipped. Proves nothing about the scripts' text. */
@NullMarked
package dev.soloist.coordination.model;

import org.jspecify.annotations.NullMarked;
