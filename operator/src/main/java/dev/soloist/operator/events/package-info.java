/// Events of Kubernetes on the objects that users look at. They are told on transitions, at most once in a while
/// each, and their loss changes nothing.
@NullMarked
package dev.soloist.operator.events;

import org.jspecify.annotations.NullMarked;
