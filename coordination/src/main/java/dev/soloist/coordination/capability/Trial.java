package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.util.Locale;
import java.util.function.Supplier;

/** Sorts what a server answers to an attempt. "May not" and "does not know" are told apart: people mend them differently. */
final class Trial {

    private Trial() {}

    /** @throws RedisUnavailable if there was no answer at all */
    static Finding of(Supplier<Finding> attempt) {
        try {
            return attempt.get();
        } catch (RedisUnavailable refused) {
            if (refused.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                return new Finding(Finding.State.FORBIDDEN, said(refused));
            }
            throw refused;
        } catch (ScriptFailed error) {
            // Judged as a whole: 6.2 says who called what before it says what is wrong.
            String lower = whole(error).toLowerCase(Locale.ROOT);
            String text = said(error);
            if (lower.contains("unknown command") || lower.contains("unknown subcommand")) {
                return new Finding(Finding.State.UNKNOWN, text);
            }
            // Inside a script a refusal has no code of its own: two wordings, before and from 7.0.
            boolean forbidden = lower.contains("acl failure") || lower.contains("can't run this command");
            return new Finding(forbidden ? Finding.State.FORBIDDEN : Finding.State.NO, text);
        }
    }

    private static String said(RuntimeException error) {
        String text = whole(error);
        return text.length() > 160 ? text.substring(0, 160) : text;
    }

    private static String whole(RuntimeException error) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return String.valueOf(cause.getMessage()).strip();
    }
}
