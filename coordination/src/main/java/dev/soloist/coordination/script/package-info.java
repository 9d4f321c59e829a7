/**
 * Runs Lua files by their digest. A script that the server has forgotten is sent again, once; nothing else is retried.
 */
@NullMarked
package dev.soloist.coordination.script;

import org.jspecify.annotations.NullMarked;
