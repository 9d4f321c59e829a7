/// The webhook's certificate authority and serving certificate: made, kept in a Secret, renewed, and trusted by
/// the API server before they are served. It promises that a renewal needs no restart and fails no admission;
/// it does not issue certificates for anybody else.
@NullMarked
package dev.soloist.operator.certificates;

import org.jspecify.annotations.NullMarked;
