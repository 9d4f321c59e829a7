package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.Tls;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One command over one connection, to any kind of server: data, Sentinel or node of a Cluster. Not the code under test. */
public final class Wire {

    /** Threads of its own for each command would take a busy machine longer than the command. They are daemons. */
    private static final ClientResources THREADS = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .build();

    private Wire() {}

    /** Sends a command, unencrypted and as the default user. */
    public static List<Object> ask(HostAndPort server, String command, String... arguments) {
        return ask(server, Credentials.NONE, null, command, arguments);
    }

    /** Sends a command and gives its reply, texts as {@code String}. */
    public static List<Object> ask(
            HostAndPort server, Credentials who, @Nullable Tls tls, String command, String... arguments) {
        var uri = RedisURI.Builder.redis(server.host(), server.port()).withTimeout(Duration.ofSeconds(10));
        if (who.password() != null) {
            if (who.username() == null) {
                uri.withPassword(who.password().toCharArray());
            } else {
                uri.withAuthentication(who.username(), who.password().toCharArray());
            }
        }
        var options = ClientOptions.builder().autoReconnect(false);
        if (tls != null) {
            uri.withSsl(true).withVerifyPeer(SslVerifyMode.NONE);
            var ssl = SslOptions.builder().jdkSslProvider();
            if (tls.certificate() != null && tls.key() != null) {
                ssl.keyManager(stream(tls.certificate()), stream(tls.key()), null);
            }
            options.sslOptions(ssl.build());
        }
        try (var client = RedisClient.create(THREADS)) {
            client.setOptions(options.build());
            try (var connection = client.connect(StringCodec.UTF8, uri.build())) {
                var args = new CommandArgs<>(StringCodec.UTF8);
                for (String argument : arguments) {
                    args.add(argument);
                }
                return connection.sync().dispatch(new Word(command), new NestedMultiOutput<>(StringCodec.UTF8), args);
            }
        }
    }

    /** A reply that is one text. */
    public static String text(List<Object> reply) {
        return String.valueOf(reply.getFirst());
    }

    private static SslOptions.Resource stream(String pem) {
        return () -> new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private record Word(String name) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
