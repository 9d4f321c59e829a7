package dev.soloist.operator.job;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.crds.ConditionTypes;
import dev.soloist.crds.Finalizers;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.operator.conditions.Conditions;
import dev.soloist.operator.core.StreamLosses;
import dev.soloist.operator.pods.PodReader;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimited;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of a pass in their order, then writes the status once and tells of its transitions. It comes back
/// at the cadence of the job's watchdog.
@ControllerConfiguration(
        name = "distributedjob",
        finalizerName = Finalizers.DISTRIBUTED_JOB,
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = WhatConcernsUs.class))
@GradualRetry(maxAttempts = -1, initialInterval = 1000, intervalMultiplier = 2, maxInterval = 30_000)
@RateLimited(maxReconciliations = 6, within = 2)
public final class DistributedJobReconciler implements Reconciler<DistributedJob>, Cleaner<DistributedJob> {

    private static final Logger LOGGER = LoggerFactory.getLogger(DistributedJobReconciler.class);
    private static final Duration STORE_RETRY = Duration.ofSeconds(2);
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(200);
    private static final List<String> REFUSED_LOGINS = List.of("WRONGPASS", "NOAUTH", "NOPERM");

    private final JobServices services;
    private final UninjectedPods uninjected;
    private final StatusWriter statuses;
    private final JobDeletion deletion;
    private final List<Step> steps;

    public DistributedJobReconciler(JobServices services) {
        this.services = services;
        this.uninjected = new UninjectedPods(services.client(), System::nanoTime);
        this.statuses = new StatusWriter(services.client(), System::nanoTime);
        var watchdog = services.watchdog();
        this.deletion = new JobDeletion(
                services.ending(watchdog), services.events(), services.deletionTimeout(), System::nanoTime);
        this.steps = List.of(
                new CheckSpec(),
                new Define(),
                new CountPods(uninjected),
                new JudgeStore(services.store()),
                new JudgeDurability(() -> services.store().gate().mode()),
                new JudgeFeatures(() -> services.store().gate().mode()),
                new OpenStore(services.access()),
                new ForceUnlock(services.store(), services.metrics()),
                new SeedState(services.client(), services.seeding(), services.metrics()),
                new Register(services.jobs(), services.board(), services.sweepSoon()),
                new RunNow(services.store()),
                new Look(services.store(), watchdog, services.metrics()),
                new LookAtStream(new StreamLosses(services.store())),
                new Observe(services.store()));
    }

    @Override
    public List<EventSource<?, DistributedJob>> prepareEventSources(EventSourceContext<DistributedJob> context) {
        return JobEventSources.of(context);
    }

    @Override
    public UpdateControl<DistributedJob> reconcile(DistributedJob job, Context<DistributedJob> context) {
        var pods = context.getSecondaryResources(Pod.class).stream()
                .map(PodReader::read)
                .toList();
        var pass = new Pass(job, pods, context.getSecondaryResource(LockPolicy.class));
        runSteps(pass);
        return UpdateControl.<DistributedJob>noUpdate().rescheduleAfter(report(pass));
    }

    @Override
    public DeleteControl cleanup(DistributedJob job, Context<DistributedJob> context) {
        var id = new JobId(job.getMetadata().getNamespace(), job.getMetadata().getName());
        services.jobs().remove(id);
        var control = deletion.step(job, id);
        if (control.isRemoveFinalizer()) {
            services.sweepSoon().run();
            services.tally().remove(job.getMetadata().getUid());
            uninjected.forget(job.getMetadata().getUid());
            statuses.forget(job.getMetadata().getUid());
        }
        return control;
    }

    private void runSteps(Pass pass) {
        try {
            for (var step : steps) {
                if (step.run(pass) == Step.Next.STOP) {
                    return;
                }
            }
        } catch (RedisUnavailable away) {
            unavailable(pass, away);
        } catch (ScriptFailed broken) {
            LOGGER.atError()
                    .addKeyValue("job", pass.id)
                    .setCause(broken)
                    .log("a script failed; this job is not looked after");
            storeDown(pass, Reasons.STORE_UNREACHABLE, broken.getMessage());
        }
    }

    private void unavailable(Pass pass, RedisUnavailable away) {
        var trouble = services.store().link().trouble();
        if (REFUSED_LOGINS.stream().anyMatch(trouble::startsWith)) {
            storeDown(
                    pass, Reasons.AUTH_FAILED, "the store does not accept the operator's user or password: " + trouble);
        } else {
            var forbidden = away.kind() == RedisUnavailable.Kind.FORBIDDEN;
            storeDown(pass, forbidden ? Reasons.AUTH_FAILED : Reasons.STORE_UNREACHABLE, away.getMessage());
        }
    }

    private static void storeDown(Pass pass, String reason, @Nullable String message) {
        pass.store = Pass.StoreState.DOWN;
        pass.storeMessage = String.valueOf(message);
        pass.problem = Problem.forNow(reason, pass.storeMessage);
        pass.again = STORE_RETRY;
    }

    private Duration report(Pass pass) {
        var status = JobStatusOf.pass(pass, services.clock().instant());
        var written = statuses.write(pass.job, status);
        tally(pass, status);
        return switch (written) {
            case WRITTEN -> {
                services.metrics().statusWritten();
                tell(pass, status);
                yield pass.again;
            }
            // Notes of a pass whose status is not written are told all the same: the steps have been done.
            case UNCHANGED, LATER -> {
                pass.notes.forEach(note -> services.events().record(pass.job, note));
                yield pass.again;
            }
            case CONFLICT -> AFTER_CONFLICT;
            case GONE -> pass.again;
        };
    }

    private void tell(Pass pass, DistributedJobStatus status) {
        pass.notes.forEach(note -> services.events().record(pass.job, note));
        Transitions.between(pass.job.getStatus(), status)
                .forEach(note -> services.events().record(pass.job, note));
    }

    private void tally(Pass pass, DistributedJobStatus status) {
        var ready = Conditions.find(status.getConditions(), ConditionTypes.READY)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
        services.tally().put(pass.uid(), ready, pass.counts == null ? 0 : pass.counts.missingSidecars());
    }
}
