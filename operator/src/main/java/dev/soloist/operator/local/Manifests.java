package dev.soloist.operator.local;

import dev.soloist.crds.ApiGroup;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What the folders ask for, of our own kinds; everything else in them is for a cluster and left out.
record Manifests(List<LockPolicy> policies, List<DistributedJob> jobs) {

    private static final KubernetesSerialization API = ApiSerialization.strict();
    private static final Pattern OURS =
            Pattern.compile("(?m)^apiVersion:\\s*[\"']?" + Pattern.quote(ApiGroup.GROUP) + "/");
    private static final Pattern KIND = Pattern.compile("(?m)^kind:\\s*[\"']?(\\w+)");
    private static final Pattern DOCUMENT_END = Pattern.compile("(?m)^---\\s*$");

    /// Reads all YAML files of the folders in the order of their names, as strictly as an API server would.
    ///
    /// @throws IOException if a file cannot be read or understood; the message names it
    static Manifests read(List<Path> folders) throws IOException {
        var all = new Manifests(new ArrayList<>(), new ArrayList<>());
        for (var folder : folders) {
            try (var files = Files.list(folder)) {
                for (var file : files.filter(Manifests::isYaml).sorted().toList()) {
                    all.add(file);
                }
            }
        }
        return all;
    }

    private static boolean isYaml(Path file) {
        return file.toString().endsWith(".yaml") || file.toString().endsWith(".yml");
    }

    private void add(Path file) throws IOException {
        for (var document : DOCUMENT_END.splitAsStream(Files.readString(file)).toList()) {
            if (OURS.matcher(document).find()) {
                add(file, document);
            }
        }
    }

    private void add(Path file, String document) throws IOException {
        var kind = KIND.matcher(document);
        var name = kind.find() ? kind.group(1) : "";
        try {
            switch (name) {
                case "LockPolicy" -> policies.add(API.unmarshal(document, LockPolicy.class));
                case "DistributedJob" -> jobs.add(API.unmarshal(document, DistributedJob.class));
                default -> throw new IOException(file + " holds a kind that this version does not know: " + name);
            }
        } catch (RuntimeException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
