package dev.soloist.coordination.contract;

/**
 * Files in {@link Variable#STORE_DIR}, equal to the keys of the Secret {@code soloist-store} of a namespace and of the
 * operator's own. Both Secrets are optional: a file may appear or change later, and who reads it follows without a
 * restart. One class reads them, for everybody: {@code StoreDirectory}.
 */
public enum StoreFile {
    /** {@code host:port}, several with commas between them: one server, or some Sentinels, or some nodes of a Cluster. */
    ADDRESS("address"),
    /** ACL user; absent or empty means the default user. */
    USERNAME("username"),
    /** Absent or empty means no authentication. */
    PASSWORD("password"),
    /** {@code Standalone} (default), {@code Sentinel} or {@code Cluster}. */
    TOPOLOGY("topology"),
    /** The name under which the Sentinels watch the primary; for {@code Sentinel} only, and needed there. */
    SENTINEL_NAME("sentinelName"),
    /** ACL user of the Sentinels. */
    SENTINEL_USERNAME("sentinelUsername"),
    /** Absent or empty means that the Sentinels want no authentication. */
    SENTINEL_PASSWORD("sentinelPassword"),
    /** {@code true} or {@code false} (default): whether connections, those to Sentinels too, are encrypted. */
    TLS("tls"),
    /** Certificates in PEM that the servers' come from; absent means those that the JDK trusts. */
    CA("ca.crt"),
    /** Our own certificate in PEM, for servers that want one. */
    CERTIFICATE("tls.crt"),
    /** The private key of {@link #CERTIFICATE}. */
    KEY("tls.key"),
    /** {@code Full} (default), {@code Ca} (any name will do) or {@code None}, which {@link #ALLOW_UNVERIFIED} must allow. */
    VERIFICATION("tlsVerify"),
    /** {@code true}: somebody knows that {@code tlsVerify: None} believes whoever answers. */
    ALLOW_UNVERIFIED("tlsAllowUnverified"),
    /** The operator's Secret: {@code Scripted} (default) or {@code Cas}, the least that the store must be capable of. */
    MINIMUM_MODE("minimumMode"),
    /** A namespace's Secret: {@code Scripted} or {@code Cas}, what the operator found; who finds another refuses to work. */
    MODE("mode"),
    /** The operator's Secret: the certificate that sidecars get as {@link #CERTIFICATE}, if not the operator's own. */
    SIDECAR_CERTIFICATE("sidecarTls.crt"),
    /** The private key of {@link #SIDECAR_CERTIFICATE}. */
    SIDECAR_KEY("sidecarTls.key");

    private final String fileName;

    StoreFile(String fileName) {
        this.fileName = fileName;
    }

    public String fileName() {
        return fileName;
    }
}
