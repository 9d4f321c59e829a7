package dev.soloist.coordination.delayed;

import dev.soloist.coordination.cas.CasEngine;
import dev.soloist.coordination.delayed.cas.CasQueue;
import dev.soloist.coordination.delayed.cas.CasView;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.ScriptRunner;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the tests of a class run against a queue without scripts: the server of the class, its field {@code REDIS}, gets a
 * Pika before it, and every {@link QueueUnderTest} works through that one while it looks at the data behind it.
 */
public class BehindPika implements BeforeEachCallback, AfterEachCallback {

    private static volatile @Nullable BehindPika current;

    private @Nullable RedisLink link;
    private @Nullable PikaStandIn pika;

    static @Nullable BehindPika current() {
        return current;
    }

    /** The one of the test that runs. */
    static BehindPika running() {
        BehindPika mode = current;
        if (mode == null) {
            throw new IllegalStateException("no test without scripts runs");
        }
        return mode;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws ReflectiveOperationException {
        pika = PikaStandIn.before(server(context.getRequiredTestClass()));
        current = this;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        current = null;
        if (link != null) {
            link.close();
            link = null;
        }
        if (pika != null) {
            pika.close();
        }
    }

    DelayedQueue queue(RedisLink given, Instances instances, QueueLimits limits) {
        return new CasQueue(through(given), QueueUnderTest.KEYS, QueueUnderTest.JOB, instances, () -> limits);
    }

    Instances instances(RedisLink given) {
        return new Instances(new ScriptRunner(new CasEngine(through(given))), QueueUnderTest.KEYS, QueueUnderTest.JOB);
    }

    CasView view(RedisLink behind) {
        return new CasView(behind, QueueUnderTest.KEYS, QueueUnderTest.JOB);
    }

    /** The server that is played. */
    PikaStandIn pika() {
        if (pika == null) {
            throw new IllegalStateException("no test runs");
        }
        return pika;
    }

    /** What a queue goes over whose test was given a link to the server behind: one for all queues of a test. */
    RedisLink through(RedisLink given) {
        RedisLink open = link;
        if (open == null) {
            open = pika().link();
            link = open;
        }
        return open;
    }

    private static RedisProcess server(Class<?> test) throws ReflectiveOperationException {
        for (Class<?> type = test; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == RedisProcess.class) {
                    field.setAccessible(true);
                    return (RedisProcess) field.get(null);
                }
            }
        }
        throw new NoSuchFieldException("no server in " + test);
    }
}
