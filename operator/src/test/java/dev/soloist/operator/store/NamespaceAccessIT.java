package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.testkit.ApiServer;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("api")
class NamespaceAccessIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private RedisLink link;
    private String namespace = "";
    private volatile boolean mayMove = true;

    @BeforeEach
    void open() {
        link = REDIS.link();
        namespace = ApiServer.newNamespace();
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void theSecretsUserDoesItsNamespacesWorkAndNothingElse() {
        assertThat(access(link).ensure(namespace)).isEqualTo(new Access.Granted());
        link.call("ACL", "LOG", "RESET");

        try (var sidecar = RedisProcess.connected(RedisLink.open(patient(ofSecret())))) {
            var store =
                    new Store(CoordinationStore.ofNamespace(sidecar, Install.MAIN, namespace, () -> ModeWish.SCRIPTED));
            var own = new JobId(namespace, "own");
            store.instances(own).register(InstanceId.create("pod"), "pod-1", Duration.ofMinutes(5));
            store.queue(own).purge();
            store.singletons().snapshot(own);
            store.registrations().read(namespace, "pod");
            assertThat(link.call("ACL", "LOG")).isEmpty();

            var foreign = new JobId("another", "job");
            assertThatThrownBy(() -> store.instances(foreign).list())
                    .isInstanceOf(RedisUnavailable.class)
                    .hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> sidecar.call("KEYS", "*")).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> sidecar.call("FLUSHALL")).hasMessageContaining("NOPERM");
        }
    }

    @Test
    void aSecondOperatorKeepsThePasswordAndALostUserComesBack() {
        access(link).ensure(namespace);
        var before = ofSecret();

        access(link).ensure(namespace);
        assertThat(ofSecret()).isEqualTo(before);

        link.call("ACL", "DELUSER", "soloist:main:" + namespace);
        access(link).ensure(namespace);
        assertOpens(before);
    }

    @Test
    void f11_aChangedPasswordOpensBesideTheOldOneAlsoWhenTheSecretWasDeleted() {
        access(link).ensure(namespace);
        var first = ofSecret();

        secret().edit(found -> new SecretBuilder(found)
                .editMetadata()
                .addToAnnotations(SecretContent.ROTATE, "1")
                .endMetadata()
                .build());
        access(link).ensure(namespace);
        var second = ofSecret();
        assertThat(second).isNotEqualTo(first);
        assertOpens(first);
        assertOpens(second);

        secret().delete();
        access(link).ensure(namespace);
        var third = ofSecret();
        assertThat(third).isNotEqualTo(second);
        assertOpens(second);
        assertOpens(third);
    }

    @Test
    void aNamespaceWhoseSecretIsGoneWaitsUntilItsSidecarsMayBeSentToTheStore() {
        mayMove = false;
        var access = access(link);

        assertThat(access.ensure(namespace)).isEqualTo(new Access.Granted());
        assertThat(secret().get()).isNull();
        access.assertAll();
        assertThat(access.withUser()).doesNotContain(namespace);

        mayMove = true;
        access.ensure(namespace);
        assertOpens(ofSecret());
    }

    @Test
    void aServerThatKnowsNoUsersGetsThemWithoutALookAtTheCluster() {
        var access = access(link);
        access.ensure(namespace);
        link.call("ACL", "DELUSER", "soloist:main:" + namespace);

        access.assertAll();

        assertOpens(ofSecret());
    }

    @Test
    void theUserOfADeletedNamespaceIsRemovedAndNoOther() {
        var access = access(link);
        var keeper = new AccessKeeper(access, ApiServer.admin(), link, () -> true);
        var deleted = ApiServer.newNamespace();
        access.ensure(namespace);
        access.ensure(deleted);
        link.call("ACL", "SETUSER", "soloist:other:" + deleted, "on", ">p");
        // The test's API server runs no controller that would empty the namespace.
        ApiServer.admin()
                .secrets()
                .inNamespace(deleted)
                .withName("soloist-store")
                .delete();

        keeper.removeLeftOver();

        assertThat(access.withUser()).contains(namespace).doesNotContain(deleted);
        assertThat(link.call("ACL", "GETUSER", "soloist:other:" + deleted)).isNotEmpty();
        assertOpens(ofSecret());
    }

    @Test
    void aStoreThatRefusesUsersIsACondition() {
        link.call("ACL", "SETUSER", "limited", "reset", "on", ">p", "~*", "&*", "+@all", "-acl");
        var limited = RedisSettings.of(REDIS.address(), new Credentials("limited", "p"), "test");
        try (var operator = RedisProcess.connected(RedisLink.open(patient(limited)))) {
            assertThat(access(operator).ensure(namespace)).isInstanceOfSatisfying(Access.Refused.class, refused -> {
                assertThat(refused.reason()).isEqualTo("StoreUserRefused");
                assertThat(refused.message()).contains("ACL SETUSER");
            });
        }
    }

    @Test
    void theOperatorsAccountCanWriteNoOtherSecret() {
        for (var file : List.of("service_account", "role", "role_binding", "own_namespace", "secret_policy")) {
            ApiServer.applyConfig("rbac/" + file + ".yaml");
        }
        try (var operator = ApiServer.newOperator()) {
            var token = new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("soloist-store")
                    .addToAnnotations("kubernetes.io/service-account.name", "default")
                    .endMetadata()
                    .withType("kubernetes.io/service-account-token")
                    .build();
            // A policy takes a moment to be in force.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> operator.resource(token).dryRun().create())
                            .isInstanceOf(KubernetesClientException.class)
                            .hasMessageContaining("may write no Secrets but"));
            assertThatThrownBy(
                            () -> operator.secrets().inNamespace("kube-system").list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("forbidden");
        }
    }

    private NamespaceAccess access(RedisLink redis) {
        return new NamespaceAccess(
                ApiServer.admin(),
                new Store(redis, Install.MAIN),
                Install.MAIN,
                () -> Map.of("address", REDIS.address()),
                _ -> mayMove);
    }

    private static void assertOpens(RedisSettings settings) {
        try (var sidecar = RedisProcess.connected(RedisLink.open(patient(settings)))) {
            assertThat(sidecar.isConnected()).isTrue();
        }
    }

    private static RedisSettings patient(RedisSettings settings) {
        return settings.withCommandTimeout(Duration.ofSeconds(30));
    }

    private Resource<Secret> secret() {
        return ApiServer.admin().secrets().inNamespace(namespace).withName("soloist-store");
    }

    private RedisSettings ofSecret() {
        var data = secret().get().getData();
        return RedisSettings.of(
                decode(data.get("address")),
                new Credentials(decode(data.get("username")), decode(data.get("password"))),
                "sidecar");
    }

    private static String decode(String value) {
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }
}
