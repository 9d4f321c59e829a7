package dev.soloist.e2e.dashboard;

/** The operator itself. */
final class OperatorRow {

    private OperatorRow() {}

    static Row row() {
        return new Row("Operator");
    }
}
