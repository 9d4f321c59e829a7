package dev.soloist.coordination.testkit;

import dev.soloist.coordination.cas.CasEngine;
import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The server of a contract test: a real redis-server that runs the scripts or, below a class with {@link CasMode}, a
 * stand-in of Pika and the engine that needs no scripts. As a static {@code @RegisterExtension} it starts before the
 * class, is emptied before each test and ends after the class.
 */
public final class ServerUnderTest implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

    private Optional<RedisProcess> redis = Optional.empty();
    private Optional<PikaStandIn> pika = Optional.empty();
    private Backend backend = Backend.STRING;

    /** Whether there are no scripts here. */
    public boolean isCas() {
        return pika.isPresent();
    }

    /** The stand-in of Pika, to be broken. */
    public PikaStandIn pika() {
        return pika.orElseThrow();
    }

    /** A connected link; the caller closes it. */
    public RedisLink link() {
        return pika.map(PikaStandIn::link).orElseGet(() -> redis.orElseThrow().link());
    }

    /** The port it listens on. */
    public int port() {
        return pika.map(PikaStandIn::port).orElseGet(() -> redis.orElseThrow().port());
    }

    /** What runs scripts over a link to this server. */
    public ScriptRunner scripts(RedisLink link) {
        return isCas() ? new ScriptRunner(new CasEngine(link)) : new ScriptRunner(link);
    }

    /** How the leases of jobs are kept here. */
    public Backend backend() {
        return backend;
    }

    /** What the lease of a job is called in {@link #call}. */
    public String leaseOf(RedisKeys keys, JobId job) {
        return backend == Backend.HASH ? LeaseTampering.name(keys.shared(), job) : keys.lock(job);
    }

    /** Looks at the keys, or damages them, as somebody with redis-cli would: a command whose first argument is a key. */
    public List<Object> call(RedisLink link, String command, String... arguments) {
        if (isCas()) {
            return new CasTampering(link).call(command, arguments);
        }
        return backend == Backend.HASH
                ? new LeaseTampering(link).call(command, arguments)
                : link.call(command, arguments);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        backend = isBelow(HashLeases.class, context.getRequiredTestClass()) ? Backend.HASH : Backend.STRING;
        if (isBelow(CasMode.class, context.getRequiredTestClass())) {
            pika = Optional.of(new PikaStandIn().start());
        } else {
            redis = Optional.of(new RedisProcess().start());
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        pika.ifPresent(server -> server.beforeEach(context));
        redis.ifPresent(server -> server.beforeEach(context));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        pika.ifPresent(PikaStandIn::close);
        redis.ifPresent(RedisProcess::close);
        pika = Optional.empty();
        redis = Optional.empty();
    }

    private static boolean isBelow(Class<? extends Annotation> mark, @Nullable Class<?> type) {
        return type != null && (type.isAnnotationPresent(mark) || isBelow(mark, type.getEnclosingClass()));
    }
}
