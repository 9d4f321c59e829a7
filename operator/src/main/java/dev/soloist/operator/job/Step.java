package dev.soloist.operator.job;

/// One named step of a pass.
@FunctionalInterface
interface Step {

    /// What comes after it.
    enum Next {
        GO_ON,
        /// The steps that follow have nothing to stand on; the status is written all the same.
        STOP
    }

    Next run(Pass pass);
}
