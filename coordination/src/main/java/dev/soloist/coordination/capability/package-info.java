/**
 * What a server can do, found out by trying, and by which mode it is therefore used, if at all. Promises that nothing is
 * ever done in a weaker mode than was asked for, nor with data that another mode, cluster or version made; it does not
 * watch a server by itself: who owns the link asks it to look.
 */
@NullMarked
package dev.soloist.coordination.capability;

import org.jspecify.annotations.NullMarked;
