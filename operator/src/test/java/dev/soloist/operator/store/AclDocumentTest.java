package dev.soloist.operator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.RedisKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/operations.md shows the rules that are in force. With -Dsoloist.documents=write it is brought up to date. */
class AclDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/operations.md");
    private static final String BEGIN = "<!-- acl: written by AclDocumentTest -->\n";
    private static final String END = "<!-- end of acl -->";
    private static final RedisKeys KEYS = new RedisKeys(Install.MAIN);
    private static final List<String> PASSWORD = List.of(">PASSWORD");

    @Test
    void theDocumentedLinesAreTheRulesInForce() throws IOException {
        var document = Files.readString(DOCUMENT);
        var begin = document.indexOf(BEGIN) + BEGIN.length();
        var end = document.indexOf(END);
        if ("write".equals(System.getProperty("soloist.documents"))) {
            Files.writeString(DOCUMENT, document.substring(0, begin) + block() + document.substring(end));
            return;
        }

        assertThat(document.substring(begin, end)).isEqualTo(block());
    }

    private static String block() {
        return "```text\n"
                + line("the operator", "soloist", AclRules.operator(KEYS, PASSWORD))
                + line("a namespace's sidecars", "soloist:main:shop", AclRules.sidecar(KEYS, "shop", PASSWORD))
                + line("operator and sidecars at the Sentinels", "soloist", AclRules.sentinel(PASSWORD))
                + "```\n";
    }

    private static String line(String whose, String name, List<String> rules) {
        return "# " + whose + "\nACL SETUSER " + name + " " + String.join(" ", rules) + "\n";
    }
}
