package dev.soloist.coordination.capability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.capability.CapabilityProbe.Scope;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CapabilityProbeIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @RegisterExtension
    static final PikaStandIn PIKA = new PikaStandIn();

    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    @AfterEach
    void theServerForgetsTheUsersOfTheTest() {
        try (RedisLink admin = REDIS.link()) {
            admin.call("ACL", "DELUSER", "limited");
            admin.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    private static Capabilities probe(RedisLink link, Scope scope) {
        var probe = new CapabilityProbe(link, KEYS::probe, scope);
        return probe.probe(probe.facts());
    }

    private static RedisLink limited(String... rules) {
        try (RedisLink admin = REDIS.link()) {
            var command = new ArrayList<>(List.of("SETUSER", "limited", "reset", "on", ">secret", "~*", "&*"));
            command.addAll(List.of(rules));
            admin.call("ACL", command.toArray(String[]::new));
        }
        return RedisProcess.connected(
                RedisLink.open(RedisSettings.of(REDIS.address(), new Credentials("limited", "secret"), "test")));
    }

    @Test
    void aRedisOrValkeyHasScriptsAndAllTheyNeed() {
        try (RedisLink link = REDIS.link()) {
            var found = probe(link, Scope.EVERYTHING);

            assertThat(found.server().family())
                    .isEqualTo(link.info("server").contains("valkey_version:") ? Family.VALKEY : Family.REDIS);
            assertThat(found.server().version()).matches("[0-9]+[.][0-9]+.*");
            // A compare-and-set of their own came to Valkey with 8.1 and to Redis with 8.4; scripts need none.
            assertThat(found.findings())
                    .allSatisfy(
                            (capability, finding) -> assertThat(finding.isYes() || capability == Capability.NATIVE_CAS)
                                    .as("%s: %s", capability, finding)
                                    .isEqualTo(capability != Capability.PIKA_CAS));
            assertThat(ModeRule.decide(found, ModeWish.SCRIPTED)).isEqualTo(new StoreMode.Scripted());
        }
    }

    @Test
    void aProbeLeavesNothingBehind() {
        try (RedisLink link = REDIS.link();
                RedisLink pika = PIKA.link()) {
            probe(link, Scope.EVERYTHING);
            probe(pika, Scope.EVERYTHING);

            assertThat(link.call("KEYS", "*")).isEmpty();
        }
        try (RedisLink behind = PIKA.behind().link()) {
            assertThat(behind.call("KEYS", "*")).isEmpty();
        }
    }

    @Test
    void pikaHasItsOwnCompareAndSetAndNoScripts() {
        try (RedisLink link = PIKA.link()) {
            var found = probe(link, Scope.EVERYTHING);

            assertThat(found.server().text()).isEqualTo("pika 3.5.5");
            assertThat(found.of(Capability.SCRIPTS).state()).isEqualTo(Finding.State.UNKNOWN);
            assertThat(found.has(Capability.PIKA_CAS)).isTrue();
            assertThat(found.has(Capability.EVICTS_NOTHING)).isTrue();
            assertThat(found.has(Capability.RPOPLPUSH)).isTrue();
            assertThat(found.of(Capability.LMOVE).state()).isEqualTo(Finding.State.UNKNOWN);
            assertThat(ModeRule.decide(found, ModeWish.atLeast(DataMode.CAS))).isEqualTo(new StoreMode.Cas());
        }
    }

    @Test
    void whereScriptsAreAskedForPikaIsRefusedWithWhatToChange() {
        try (RedisLink link = PIKA.link()) {
            assertThat(ModeRule.decide(probe(link, Scope.ESSENTIALS), ModeWish.SCRIPTED))
                    .isInstanceOfSatisfying(StoreMode.Refused.class, refused -> {
                        assertThat(refused.reason()).isEqualTo(RefusalReason.BELOW_MINIMUM);
                        assertThat(refused.sentence()).contains("minimumMode: Cas", "soloist-operator-store");
                    });
        }
    }

    @Test
    void f10_aUserWhoMayNotRunScriptsIsRefusedAndTheSentenceSaysWhatToAllow() {
        try (RedisLink link = limited("+@all", "-eval", "-evalsha", "-script")) {
            var found = probe(link, Scope.ESSENTIALS);

            assertThat(found.of(Capability.SCRIPTS).state()).isEqualTo(Finding.State.FORBIDDEN);
            assertThat(ModeRule.decide(found, ModeWish.atLeast(DataMode.CAS)))
                    .isInstanceOfSatisfying(StoreMode.Refused.class, refused -> {
                        assertThat(refused.reason()).isEqualTo(RefusalReason.SCRIPTS_FORBIDDEN);
                        assertThat(refused.sentence()).contains("EVAL", "EVALSHA");
                    });
        }
    }

    @Test
    void f10_aCommandThatIsMissingInsideScriptsIsAForbiddenScript() {
        try (RedisLink link = limited("+@all", "-zadd")) {
            assertThat(probe(link, Scope.ESSENTIALS).of(Capability.SCRIPTS).state())
                    .isEqualTo(Finding.State.FORBIDDEN);
        }
    }

    @Test
    void aServerWithoutInfoIsJudgedByWhatItDoes() {
        try (RedisLink link = limited("+@all", "-info")) {
            var found = probe(link, Scope.ESSENTIALS);

            assertThat(found.server().family()).isEqualTo(Family.UNKNOWN);
            assertThat(ModeRule.decide(found, ModeWish.SCRIPTED)).isEqualTo(new StoreMode.Scripted());
            assertThat(found.has(Capability.EVICTS_NOTHING)).isFalse();
        }
    }

    @Test
    void f06_anyPolicyButNoevictionMayTakeALease() {
        try (RedisLink link = REDIS.link()) {
            link.call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");

            assertThat(probe(link, Scope.ESSENTIALS).of(Capability.EVICTS_NOTHING))
                    .isEqualTo(Finding.no("maxmemory-policy is volatile-lru"));
        }
    }
}
