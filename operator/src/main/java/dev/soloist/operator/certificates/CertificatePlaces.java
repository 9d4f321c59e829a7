package dev.soloist.operator.certificates;

/// Where certificates are kept, and where the API server reads whom to trust.
///
/// @param namespace the operator's own namespace
/// @param secret name of the Secret in it
/// @param webhookConfiguration name of the MutatingWebhookConfiguration
public record CertificatePlaces(String namespace, String secret, String webhookConfiguration) {}
