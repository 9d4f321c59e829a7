package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.RequestDigest;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.lease.Acquisition;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeasePoint;
import dev.soloist.coordination.lease.LeaseRelease;
import dev.soloist.coordination.lease.LeaseRenewal;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.lease.Revocation;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.sidecar.json.GoDuration;
import dev.soloist.sidecar.lease.AppLeases;
import java.time.Duration;
import java.util.Map;

/** Acquire, renew, give back, revoke and list leases of the app. */
final class LeasesEndpoint {

    private final AppLeases leases;

    LeasesEndpoint(AppLeases leases) {
        this.leases = leases;
    }

    Answer acquire(LeaseName name, byte[] body, String idempotencyKey) throws Refusal, InterruptedException {
        var ttl = LeaseInput.read(body);
        requireSafety();
        // A caller without a key means each request as a new one; repeats inside the sidecar carry the same nonce all
        // the
        // same.
        var nonce = idempotencyKey.isEmpty() ? Nonce.create() : new Nonce(RequestDigest.of(idempotencyKey));
        return switch (leases.acquire(name, nonce, ttl)) {
            case Acquisition.Acquired(Fence fence, Duration remaining, var endsAt, boolean repeated) ->
                LeaseJson.held(repeated ? 200 : 201, name, fence, remaining, endsAt);
            case Acquisition.Held held ->
                throw new Refusal(
                        ProblemKind.LEASE_HELD,
                        "Pod " + held.pod() + " holds it under the fence " + held.fence()
                                + (held.revoked()
                                        ? "; it is revoked and ends within "
                                        : "; unless it is renewed or given back it ends within ")
                                + GoDuration.write(held.remaining()) + ".",
                        Map.of("Retry-After", Long.toString(held.remaining().toSeconds() + 1)));
            case Acquisition.Full() ->
                throw new Refusal(
                        ProblemKind.TOO_MANY_LEASES,
                        "The namespace has as many leases as it may; ask again when some have ended.",
                        Map.of("Retry-After", "1"));
        };
    }

    Answer renew(LeaseName name, Fence fence) throws Refusal, InterruptedException {
        return switch (leases.renew(name, fence)) {
            case LeaseRenewal.Renewed(Duration remaining, var endsAt) ->
                LeaseJson.held(200, name, fence, remaining, endsAt);
            case LeaseRenewal.Revoked(Duration remaining) ->
                throw new Refusal(
                        ProblemKind.LEASE_REVOKED,
                        "Somebody asked for its end. It is not renewed; stop within "
                                + GoDuration.write(AppLeases.usable(remaining))
                                + " of sending this request, and give it back.");
            case LeaseRenewal.Lost() ->
                throw new Refusal(
                        ProblemKind.LEASE_LOST,
                        "No lease under this fence is held by this pod. Stop what needs it before you ask for a new one.");
        };
    }

    /** Of the own pod a lease is given back; that of another is revoked. */
    Answer release(LeaseName name, Fence fence) throws Refusal, InterruptedException {
        return switch (leases.release(name, fence)) {
            case LeaseRelease.Released(), LeaseRelease.Gone() -> Answer.empty(204);
            case LeaseRelease.Foreign _ ->
                switch (leases.revoke(name, fence)) {
                    case Revocation.Revoked(String pod, Duration remaining) -> LeaseJson.revoked(name, pod, remaining);
                    case Revocation.Gone() -> Answer.empty(204);
                };
        };
    }

    Answer list(Query query) throws Refusal {
        var after = point(query.text("after"));
        var list = leases.list(after, query.number("limit", Leases.MOST_LISTED, 1, Leases.MOST_LISTED));
        var next = list.next();
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("leases");
            for (var lease : list.leases()) {
                LeaseJson.write(lease, json);
            }
            json.writeEndArray();
            json.writeBooleanField("more", list.more());
            if (next != null) {
                json.writeStringField("next", next.toString());
            }
            json.writeEndObject();
        });
    }

    private static LeasePoint point(String after) throws Refusal {
        try {
            return after.isEmpty() ? LeasePoint.START : LeasePoint.parse(after);
        } catch (IllegalArgumentException no) {
            throw new Refusal(ProblemKind.INVALID_REQUEST, "after is \"next\" of an answer.");
        }
    }

    private void requireSafety() throws Refusal {
        var danger = leases.danger();
        if (danger.isPresent()) {
            throw new Refusal(
                    ProblemKind.STORE_UNSAFE,
                    "No lease is given on a store that may lose it ("
                            + danger.get().kind().word() + ").",
                    Map.of("Retry-After", "10"));
        }
    }
}
