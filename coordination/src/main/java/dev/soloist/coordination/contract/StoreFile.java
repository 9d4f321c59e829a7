package dev.soloist.coordination.contract;

/**
 * Files in {@link Variable#STORE_DIR}, equal to the keys of the Secret {@code soloist-store}. The Secret is optional: a file may
 * appear or change later, and the sidecar follows without a restart.
 */
public enum StoreFile {
    /** {@code host:port}. */
    ADDRESS("address"),
    /** ACL user; absent or empty means the default user. */
    USERNAME("username"),
    /** Absent or empty means no authentication. */
    PASSWORD("password");

    private final String fileName;

    StoreFile(String fileName) {
        this.fileName = fileName;
    }

    public String fileName() {
        return fileName;
    }
}
