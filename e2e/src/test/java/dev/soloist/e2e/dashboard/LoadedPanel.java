package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** A panel as a reader of the file finds it, whoever wrote the file. */
public record LoadedPanel(String row, JsonNode json) {

    static JsonNode dashboard() {
        try {
            return Json.MAPPER.readTree(Files.readString(DashboardFile.PATH));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All panels in their order, without the titles of the rows. */
    public static List<LoadedPanel> all() {
        List<LoadedPanel> panels = new ArrayList<>();
        var row = "";
        for (var panel : dashboard().path("panels")) {
            if (panel.path("type").asText().equals("row")) {
                row = panel.path("title").asText();
            } else {
                panels.add(new LoadedPanel(row, panel));
            }
        }
        return panels;
    }

    String title() {
        return json.path("title").asText();
    }

    /** PromQL of its queries, with Grafana's variables. */
    public List<String> expressions() {
        return json.path("targets").findValues("expr").stream()
                .map(JsonNode::asText)
                .toList();
    }

    /** Row and title, for messages. */
    @Override
    public String toString() {
        return row + " / " + title();
    }
}
