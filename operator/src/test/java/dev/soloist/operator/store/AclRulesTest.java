package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AclRulesTest {

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(\\s*'([A-Za-z]+)'");
    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);

    @Test
    void everyCommandOfEveryScriptIsGranted() throws IOException {
        var used = new TreeSet<String>();
        try (var scripts = Files.walk(Path.of("../coordination/src/main/resources"))) {
            for (var script :
                    scripts.filter(file -> file.toString().endsWith(".lua")).toList()) {
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
    void aRuleThatAServerDoesNotKnowIsLeftOut() {
        assertThat(AclRules.of(new ServerVersion(7, 0), KEYS, "shop", "p")).doesNotContain("+client|setinfo");
        assertThat(AclRules.of(new ServerVersion(7, 2), KEYS, "shop", "p")).contains("+client|setinfo");
    }

    @Test
    void theUserSeesTheKeysAndChannelsOfItsNamespaceOnly() {
        assertThat(AclRules.of(new ServerVersion(7, 0), KEYS, "shop", "p"))
                .contains("~soloist:main:{shop}:*", "~soloist:main:{shop/*", "&soloist:main:{shop}:*", "-@all")
                .doesNotContain("allkeys", "~*", "&*");
    }

    @Test
    void theVersionIsReadFromInfo() {
        assertThat(ServerVersion.read("# Server\r\nredis_version:7.0.15\r\n")).isEqualTo(new ServerVersion(7, 0));
        assertThat(ServerVersion.read("")).isEqualTo(new ServerVersion(6, 2));
    }
}
