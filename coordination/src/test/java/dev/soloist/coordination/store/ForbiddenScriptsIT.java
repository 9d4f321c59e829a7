package dev.soloist.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.soloist.coordination.capability.RefusalReason;
import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An administrator takes a right away while the store is in use. */
class ForbiddenScriptsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final JobId JOB = new JobId("shop", "report");
    private static final InstanceId POD = InstanceId.create("pod");
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void f10_aRefusedCallMakesTheNextLookFindOut() {
        refusedWhenTakenAway(store -> store.singletons().renew(JOB, POD, Nonce.create(), TTL));
    }

    @Test
    void f10_aRefusedCallWhoseCopyIsAwaitedDoesSoToo() {
        var replicated = new Durability.Replicated(1, Duration.ofMillis(100));
        refusedWhenTakenAway(store -> store.singletons().renew(JOB, POD, Nonce.create(), TTL, replicated));
    }

    private static void refusedWhenTakenAway(Consumer<CoordinationStore> call) {
        try (RedisLink admin = REDIS.link()) {
            admin.call("ACL", "SETUSER", "app", "reset", "on", ">secret", "~*", "&*", "+@all");
            try (RedisLink link = RedisProcess.connected(
                    RedisLink.open(RedisSettings.of(REDIS.address(), new Credentials("app", "secret"), "test")))) {
                var store = new CoordinationStore(link, Install.MAIN);
                assertThat(store.gate().mode()).isEqualTo(new StoreMode.Scripted());

                admin.call("ACL", "SETUSER", "app", "-eval", "-evalsha");
                assertThatThrownBy(() -> call.accept(store)).isInstanceOf(RedisUnavailable.class);
                store.gate().look();

                assertThat(store.gate().mode())
                        .isInstanceOfSatisfying(
                                StoreMode.Refused.class,
                                refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.SCRIPTS_FORBIDDEN));
            }
        }
    }
}
