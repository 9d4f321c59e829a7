package dev.soloist.e2e.dashboard;

import java.util.List;

/** A titled row of panels, which flow from left to right and wrap. */
record Row(String title, List<Panel> panels) {

    Row(String title, Panel... panels) {
        this(title, List.of(panels));
    }
}
