package dev.soloist.coordination.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A singleton's lease in the same server, renewed while a queue is under load. */
final class SharedLease {

    private static final Duration TTL = Duration.ofSeconds(6);
    private static final JobId JOB = new JobId("shop", "report");

    private final SingletonStore store;
    private final InstanceId instance = InstanceId.create("pod-lease");
    private final Nonce nonce = Nonce.create();
    private int renewals;

    SharedLease(RedisLink link) {
        store = new SingletonStore(new ScriptRunner(link), new RedisKeys(Install.MAIN));
        store.seed(JOB, "uid", 1, "mark", link.now(), false, new SpecRevision("1", "every 1h"));
        var request =
                new ClaimRequest(1, instance, "a-pod", nonce, TTL, link.now().plusSeconds(5));
        assertThat(store.claim(JOB, request)).isInstanceOf(Claim.Claimed.class);
    }

    /** Renews every 200 ms until the load is over; every renewal has to succeed. */
    void renewWhile(Load load) throws Exception {
        var over = new CountDownLatch(1);
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var renewing = thread.submit((Callable<Void>) () -> {
                do {
                    assertThat(store.renew(JOB, instance, nonce, TTL)).isInstanceOf(Renewal.Renewed.class);
                    renewals++;
                } while (!over.await(200, TimeUnit.MILLISECONDS));
                return null;
            });
            try {
                load.run();
            } finally {
                over.countDown();
            }
            renewing.get();
        }
    }

    int renewals() {
        return renewals;
    }

    interface Load {
        void run() throws Exception;
    }
}
