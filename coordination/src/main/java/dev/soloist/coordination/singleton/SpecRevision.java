package dev.soloist.coordination.singleton;

/**
 * The part of a job's specification that the record remembers.
 *
 * @param revision any text that changes with the specification, such as uid and generation
 * @param scheduleText the schedule as text; only a change of this moves the next slot
 */
public record SpecRevision(String revision, String scheduleText) {}
