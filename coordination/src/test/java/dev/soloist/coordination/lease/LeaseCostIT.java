package dev.soloist.coordination.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.SpecRevision;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the back end Hash costs the server, against String: its own count of the time that a renewal takes it. */
class LeaseCostIT {

    private static final int RENEWALS = 2000;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final InstanceId POD = new InstanceId("pod-uid-aaaaaa");
    private static final Pattern MICROS = Pattern.compile("cmdstat_evalsha:.*usec_per_call=([0-9.]+)");

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void aRenewalInTheHashCostsAFewTimesOneOfAKeyAlsoAmongAThousandOthers() {
        try (var link = REDIS.link()) {
            var others = new Leases(new ScriptRunner(link), new RedisKeys(Install.MAIN), "shop");
            for (int i = 0; i < 1000; i++) {
                others.acquire(
                        new LeaseName("n" + i), new LeaseHolder("u", "p"), Nonce.create(), Duration.ofMinutes(5));
            }
            renewal(link, Backend.STRING, "warm-up");
            double string = renewal(link, Backend.STRING, "report");
            double hash = renewal(link, Backend.HASH, "report");

            System.out.printf("lease: a renewal takes the server %.1f us as String, %.1f us as Hash%n", string, hash);
            assertThat(hash).isLessThan(6 * string);
        }
    }

    private static double renewal(RedisLink link, Backend backend, String name) {
        var job = new JobId("shop", name);
        var jobs = new SingletonStore(new ScriptRunner(link), new RedisKeys(Install.MAIN), backend);
        var nonce = Nonce.create();
        jobs.seed(job, "uid", 1, "mark", link.now().minusMillis(10), false, new SpecRevision("1", "every 1h"));
        jobs.claim(job, new ClaimRequest(1, POD, "pod", nonce, TTL, link.now().plusSeconds(5)));
        jobs.renew(job, POD, nonce, TTL);
        link.call("CONFIG", "RESETSTAT");
        for (int i = 0; i < RENEWALS; i++) {
            jobs.renew(job, POD, nonce, TTL);
        }
        var found = MICROS.matcher(link.info("commandstats"));
        assertThat(found.find()).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
