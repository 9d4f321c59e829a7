package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AclRulesTest {

    private static final Pattern CALL = Pattern.compile("(?:redis|server)\\.p?call\\(\\s*'([A-Za-z]+)'");
    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    @Test
    void everyCommandOfEveryScriptIsGranted() throws IOException {
        var used = new TreeSet<String>();
        try (var scripts = Files.walk(Path.of("../coordination/src/main/resources"))) {
            for (var script : scripts.filter(file -> file.toString().matches(".*\\.(lua|prelude)"))
                    .toList()) {
                var call = CALL.matcher(Files.readString(script));
                while (call.find()) {
                    used.add(call.group(1).toLowerCase(Locale.ROOT));
                }
            }
        }

        assertThat(used).isNotEmpty();
        assertThat(AclRules.COMMANDS).containsAll(used);
    }

    @Test
    void theUserSeesTheKeysAndChannelsOfItsNamespaceOnly() {
        assertThat(AclRules.sidecar(KEYS, "shop", List.of(">p")))
                .contains("~soloist:main:{shop}:*", "~soloist:main:{shop/*", "&soloist:main:{shop}:*", "-@all")
                .doesNotContain("allkeys", "~*", "&*", "+acl|setuser");
    }

    @Test
    void formerPasswordsAreTakenByTheirDigests() {
        var passwords = new Passwords("new", List.of(Passwords.digest("p")));

        assertThat(passwords.rules())
                .containsExactly(">new", "#148de9c5a7a44d19e56cd9ae1a554bf67847afb0c58f6e12fa29ac7ddfca9940");
        assertThat(passwords.toString()).doesNotContain("new");
    }
}
