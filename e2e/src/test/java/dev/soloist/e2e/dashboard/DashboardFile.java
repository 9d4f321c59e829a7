package dev.soloist.e2e.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the dashboard is kept; run by {@code make generate}. */
final class DashboardFile {

    static final Path PATH = Path.of("../config/grafana/soloist.json");

    private DashboardFile() {}

    /** Writes the dashboard to the file that the only argument names. */
    public static void main(String[] arguments) throws IOException {
        var file = Path.of(arguments[0]);
        Files.createDirectories(file.getParent());
        Files.writeString(file, JsonText.of(Dashboard.json()));
    }
}
