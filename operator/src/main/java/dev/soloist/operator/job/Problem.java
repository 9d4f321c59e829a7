package dev.soloist.operator.job;

/// Why a job is not in force.
///
/// @param reason of the condition
/// @param message for people
record Problem(Remedy remedy, String reason, String message) {

    /// What would help.
    enum Remedy {
        /// Nothing but an edit of some object.
        EDIT,
        /// Time: the operator tries on.
        TIME
    }

    static Problem untilEdited(String reason, String message) {
        return new Problem(Remedy.EDIT, reason, message);
    }

    static Problem forNow(String reason, String message) {
        return new Problem(Remedy.TIME, reason, message);
    }
}
