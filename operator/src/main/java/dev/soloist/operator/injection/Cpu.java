package dev.soloist.operator.injection;

import io.fabric8.kubernetes.api.model.Quantity;

/// An amount of CPU as a Kubernetes quantity.
record Cpu(String quantity) {

    /// The larger of the two, in the words it was given in.
    String atLeast(String other) {
        var own = new Quantity(quantity).getNumericalAmount();
        return own.compareTo(new Quantity(other).getNumericalAmount()) >= 0 ? quantity : other;
    }
}
