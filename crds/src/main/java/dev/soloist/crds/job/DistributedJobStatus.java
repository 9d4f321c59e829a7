package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the operator reports. A bean that is filled and written whole; not safe for use by several threads.
///
/// It follows the state in Redis at a distance of up to 10 s; the truth is in Redis. Only `term` and `seeded` are
/// the truth here: they outlive a loss of Redis.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class DistributedJobStatus {

    @JsonPropertyDescription("The generation of the spec that this status speaks of.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("Ready, Reconciling, Stalled, StoreReady, Suspended.")
    private @Nullable List<Condition> conditions;

    @JsonPropertyDescription("Singleton, Delayed or Broadcast.")
    private @Nullable String type;

    @JsonPropertyDescription("The schedule in words, for the column SCHEDULE.")
    private @Nullable String schedule;

    @JsonPropertyDescription("The pods that spec.selector names, counted.")
    private @Nullable PodCounts pods;

    @JsonPropertyDescription("The last run that ended or is going on.")
    private @Nullable LastRun lastRun;

    @JsonPropertyDescription("The runs that ended last, newest first.")
    @Size(max = 5)
    private @Nullable List<LastRun> recentRuns;

    @JsonPropertyDescription("The event log, if spec.eventLog.maxLength is above 0.")
    private @Nullable EventLogStatus eventLog;

    @JsonPropertyDescription("When a run last ended well.")
    private @Nullable Instant lastSuccess;

    @JsonPropertyDescription(
            "When the next run is due, RFC 3339 in UTC. A text, for kubectl prints dates in the future as invalid.")
    private @Nullable String nextRun;

    @JsonPropertyDescription("Failed runs since the last success.")
    private @Nullable Integer consecutiveFailures;

    @JsonPropertyDescription("The tasks of a delayed job, counted.")
    private @Nullable TaskCounts delayed;

    @JsonPropertyDescription(
            "Of a delayed job: the longest time until another pod is handed a task whose pod died in its first attempt, when"
                    + " nobody sees the pod end. Absent with delivery AtMostOnce, for such a task is not handed out again.")
    private @Nullable String worstCaseRecovery;

    @JsonPropertyDescription(
            "What became of the last due moment, such as Ran, SkippedSuspended, NoReadyPod, StoreDown.")
    private @Nullable String lastVerdict;

    @JsonPropertyDescription("The pod that held the lease when this was written.")
    private @Nullable String holder;

    @JsonPropertyDescription(
            "The upper part of each fence. Raised when Redis may have lost its newest writes, so that fences keep rising.")
    private @Nullable Long term;

    @JsonPropertyDescription(
            "Mark of the state in Redis, set when it was first made. A different mark, or none, there means lost data.")
    private @Nullable String seeded;

    @JsonPropertyDescription("The value of the annotation soloist.dev/run-now that was answered last.")
    private @Nullable String runNow;

    @JsonPropertyDescription("The value of the annotation soloist.dev/force-unlock that was answered last.")
    private @Nullable String forceUnlock;

    @JsonPropertyDescription("The store as the operator found it.")
    private @Nullable StoreStatus store;

    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    public @Nullable List<Condition> getConditions() {
        return conditions;
    }

    public void setConditions(@Nullable List<Condition> conditions) {
        this.conditions = conditions;
    }

    public @Nullable String getType() {
        return type;
    }

    public void setType(@Nullable String type) {
        this.type = type;
    }

    public @Nullable String getSchedule() {
        return schedule;
    }

    public void setSchedule(@Nullable String schedule) {
        this.schedule = schedule;
    }

    public @Nullable PodCounts getPods() {
        return pods;
    }

    public void setPods(@Nullable PodCounts pods) {
        this.pods = pods;
    }

    public @Nullable LastRun getLastRun() {
        return lastRun;
    }

    public void setLastRun(@Nullable LastRun lastRun) {
        this.lastRun = lastRun;
    }

    public @Nullable List<LastRun> getRecentRuns() {
        return recentRuns;
    }

    public void setRecentRuns(@Nullable List<LastRun> recentRuns) {
        this.recentRuns = recentRuns;
    }

    public @Nullable EventLogStatus getEventLog() {
        return eventLog;
    }

    public void setEventLog(@Nullable EventLogStatus eventLog) {
        this.eventLog = eventLog;
    }

    public @Nullable Instant getLastSuccess() {
        return lastSuccess;
    }

    public void setLastSuccess(@Nullable Instant lastSuccess) {
        this.lastSuccess = lastSuccess;
    }

    public @Nullable String getNextRun() {
        return nextRun;
    }

    public void setNextRun(@Nullable String nextRun) {
        this.nextRun = nextRun;
    }

    public @Nullable Integer getConsecutiveFailures() {
        return consecutiveFailures;
    }

    public void setConsecutiveFailures(@Nullable Integer consecutiveFailures) {
        this.consecutiveFailures = consecutiveFailures;
    }

    public @Nullable TaskCounts getDelayed() {
        return delayed;
    }

    public void setDelayed(@Nullable TaskCounts delayed) {
        this.delayed = delayed;
    }

    public @Nullable String getWorstCaseRecovery() {
        return worstCaseRecovery;
    }

    public void setWorstCaseRecovery(@Nullable String worstCaseRecovery) {
        this.worstCaseRecovery = worstCaseRecovery;
    }

    public @Nullable String getLastVerdict() {
        return lastVerdict;
    }

    public void setLastVerdict(@Nullable String lastVerdict) {
        this.lastVerdict = lastVerdict;
    }

    public @Nullable String getHolder() {
        return holder;
    }

    public void setHolder(@Nullable String holder) {
        this.holder = holder;
    }

    public @Nullable Long getTerm() {
        return term;
    }

    public void setTerm(@Nullable Long term) {
        this.term = term;
    }

    public @Nullable String getSeeded() {
        return seeded;
    }

    public void setSeeded(@Nullable String seeded) {
        this.seeded = seeded;
    }

    public @Nullable String getForceUnlock() {
        return forceUnlock;
    }

    public void setForceUnlock(@Nullable String forceUnlock) {
        this.forceUnlock = forceUnlock;
    }

    public @Nullable StoreStatus getStore() {
        return store;
    }

    public void setStore(@Nullable StoreStatus store) {
        this.store = store;
    }

    public @Nullable String getRunNow() {
        return runNow;
    }

    public void setRunNow(@Nullable String runNow) {
        this.runNow = runNow;
    }
}
