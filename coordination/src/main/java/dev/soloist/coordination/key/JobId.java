package dev.soloist.coordination.key;

import java.util.regex.Pattern;

/** A job's namespace and name: its hash tag, so that all keys of the job lie on one server. Immutable. */
public record JobId(String namespace, String name) {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    /**
     * Checks both names by the rules of Kubernetes; neither can hold a brace, a slash or a colon.
     *
     * @throws IllegalArgumentException if a name is not one that Kubernetes would take
     */
    public JobId {
        if (!LABEL.matcher(namespace).matches()) {
            throw new IllegalArgumentException("namespace '" + namespace + "' is not a DNS label");
        }
        if (!SUBDOMAIN.matcher(name).matches()) {
            throw new IllegalArgumentException("job name '" + name + "' is not a DNS subdomain");
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
