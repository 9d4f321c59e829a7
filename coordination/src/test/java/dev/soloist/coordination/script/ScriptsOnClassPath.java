package dev.soloist.coordination.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All Lua files of the module, and all {@link LuaScript} constants of its classes. */
public final class ScriptsOnClassPath {
    private ScriptsOnClassPath() {}

    /** Text by path on the class path. */
    public static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        for (Path file : under(".lua")) {
            try {
                files.put(root().relativize(file).toString(), Files.readString(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    static List<LuaScript> constants() {
        List<LuaScript> scripts = new ArrayList<>();
        for (Path file : under(".class")) {
            String name = root().relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
            if (name.endsWith("-info")) {
                continue;
            }
            try {
                for (Field field : Class.forName(name).getDeclaredFields()) {
                    if (field.getType() == LuaScript.class && Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        scripts.add((LuaScript) field.get(null));
                    }
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return scripts;
    }

    private static List<Path> under(String suffix) {
        try (Stream<Path> files = Files.walk(root().resolve("dev/soloist/coordination"))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        try {
            return Path.of(LuaScript.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
