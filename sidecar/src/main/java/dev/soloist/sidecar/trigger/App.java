package dev.soloist.sidecar.trigger;

import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.sidecar.token.LocalToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The app as this pod's sidecar sees it: builds the calls that start and cancel work. Thread-safe. */
public final class App {

    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);
    private static final int CONNECT_MILLIS = 500;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final LocalToken token;
    private final OptionalInt portInstead;

    /** An app that listens where its jobs say. */
    public App(LocalToken token) {
        this(token, OptionalInt.empty());
    }

    /**
     * An app that may listen elsewhere.
     *
     * @param portInstead of that of every job, where several pods share one host
     */
    public App(LocalToken token, OptionalInt portInstead) {
        this.token = token;
        this.portInstead = portInstead;
    }

    /** A call that starts work; execute it on the thread that waits for the result. */
    public AppCall start(Trigger trigger, Map<String, String> headers, Payload body, Duration timeout) {
        var all = new LinkedHashMap<>(headers);
        all.put("traceparent", traceparent());
        all.put("Authorization", token.authorization());
        return new AppCall(new AppRequest("POST", port(trigger), trigger.path(), all, body, timeout));
    }

    /** Whether anybody listens where {@link #start} would send its calls. */
    public boolean listens(Trigger trigger) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port(trigger)), CONNECT_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * Asks the app once to stop a piece of work.
     *
     * @param parameter {@code run} or {@code task}
     */
    public CancelAnswer cancel(Trigger trigger, String parameter, String id, Duration within) {
        var query = parameter + "=" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        var target = trigger.path() + (trigger.path().contains("?") ? "&" : "?") + query;
        var timeout = within.compareTo(CANCEL_TIMEOUT) < 0 ? within : CANCEL_TIMEOUT;
        var headers = Map.of("traceparent", traceparent(), "Authorization", token.authorization());
        var request = new AppRequest("DELETE", port(trigger), target, headers, AppRequest.NO_BODY, timeout);
        return CancelAnswer.of(new AppCall(request).execute());
    }

    private int port(Trigger trigger) {
        return portInstead.orElse(trigger.port());
    }

    private static String traceparent() {
        var bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        var hex = HexFormat.of().formatHex(bytes);
        return "00-" + hex.substring(0, 32) + "-" + hex.substring(32) + "-01";
    }
}
