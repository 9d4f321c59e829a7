package dev.soloist.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/// The store of a job as the operator found it.
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreStatus(
        @JsonPropertyDescription("How it is used: Scripted, Cas or Refused.")
        String mode,

        @JsonPropertyDescription("What it says it is, such as redis 7.0.15.") @Nullable
        String server,

        @JsonPropertyDescription("What it may evict, in its own word: noeviction is nothing.") @Nullable
        String evictionPolicy) {}
