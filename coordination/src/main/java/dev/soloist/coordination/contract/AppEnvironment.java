package dev.soloist.coordination.contract;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What every app container is given.
 *
 * @param apiPort port of the localhost API
 * @param tokenFile path of the bearer token inside the app's containers
 */
public record AppEnvironment(int apiPort, String tokenFile) {

    public static final String API = "SOLOIST_API";
    public static final String TOKEN_FILE = "SOLOIST_TOKEN_FILE";

    /** Variables in a stable order. */
    public Map<String, String> toEnvironment() {
        var env = new LinkedHashMap<String, String>();
        env.put(API, "http://127.0.0.1:" + apiPort);
        env.put(TOKEN_FILE, tokenFile);
        return env;
    }
}
