package dev.soloist.coordination.testkit.pika;

import java.util.Locale;

/** Pika's INFO: it has its own version line, and no section about memory. Immutable. */
record PikaInfo(PikaRelease release, int port, String runId) {

    String section(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "server" -> server();
            case "replication" -> replication();
            case "", "all" -> server() + "\r\n" + replication();
            default -> "";
        };
    }

    private String server() {
        return "# Server\r\npika_version:" + release.version + "\r\npika_git_sha:0\r\nos:Linux\r\narch_bits:64\r\n"
                + "process_id:1\r\ntcp_port:" + port + "\r\nthread_num:1\r\nsync_thread_num:6\r\n"
                + "uptime_in_seconds:1\r\nuptime_in_days:1\r\nconfig_file:pika.conf\r\nserver_id:1\r\nrun_id:" + runId
                + "\r\n";
    }

    private String replication() {
        return "# Replication(MASTER)\r\nrole:master\r\nReplicationID:" + runId + "\r\nconnected_slaves:0\r\n";
    }
}
