package dev.soloist.sidecar.trigger;

/** What the app said to a cancel. */
public enum CancelAnswer {
    /** 2xx: it has stopped, or never had that work. */
    ACKNOWLEDGED,
    /** Nobody listens on its port. It may still be at work while it ends. */
    APP_ABSENT,
    /** Any other answer or none. */
    NOT_ACKNOWLEDGED;

    static CancelAnswer of(AppResponse response) {
        return switch (response) {
            case AppResponse.Answered(int status, var _, var _) when status >= 200 && status < 300 -> ACKNOWLEDGED;
            case AppResponse.Refused() -> APP_ABSENT;
            default -> NOT_ACKNOWLEDGED;
        };
    }
}
