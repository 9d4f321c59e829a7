package dev.soloist.operator.events;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes events. The same words about the same object are written once in five minutes; a refused write is logged
/// and forgotten. Thread-safe.
public final class EventRecorder {

    private static final Logger LOGGER = LoggerFactory.getLogger(EventRecorder.class);
    private static final Duration QUIET = Duration.ofMinutes(5);
    private static final int REMEMBERED = 1000;
    private static final int MAX_TEXT = 1000;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final String instance;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> said = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    /// @param instance name of this operator's pod
    public EventRecorder(KubernetesClient client, String instance) {
        this.client = client;
        this.instance = instance;
    }

    public void record(HasMetadata about, Note note) {
        if (!isNew(about.getMetadata().getUid() + "/" + note.reason() + "/" + note.text())) {
            return;
        }
        var reference = new ObjectReferenceBuilder()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .build();
        var event = new EventBuilder()
                .withNewMetadata()
                .withNamespace(about.getMetadata().getNamespace())
                .withGenerateName(about.getMetadata().getName() + "-")
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(Instant.now().truncatedTo(ChronoUnit.MICROS))))
                .withReportingController("soloist.dev/operator")
                .withReportingInstance(instance)
                .withAction(note.reason())
                .withReason(note.reason())
                .withType(note.kind().type())
                .withNote(note.text().length() > MAX_TEXT ? note.text().substring(0, MAX_TEXT) : note.text())
                .withRegarding(reference)
                .build();
        try {
            client.resource(event).create();
        } catch (KubernetesClientException refused) {
            LOGGER.atWarn()
                    .addKeyValue("object", about.getMetadata().getName())
                    .addKeyValue("reason", note.reason())
                    .log("an event was not written: {}", refused.getMessage());
        }
    }

    private boolean isNew(String key) {
        var now = System.nanoTime();
        lock.lock();
        try {
            var before = said.get(key);
            if (before != null && now - before < QUIET.toNanos()) {
                return false;
            }
            said.remove(key);
            said.put(key, now);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
