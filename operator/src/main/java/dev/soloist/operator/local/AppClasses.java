package dev.soloist.operator.local;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;

/// A sample app of one source file, compiled once for all pods.
///
/// @param folder the class path
/// @param mainClass named like the file
record AppClasses(Path folder, String mainClass) {

    /// @throws IOException if the source is not there or does not compile
    static AppClasses compile(Path source, Path folder) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("this Java has no compiler; set JAVA_HOME to a JDK");
        }
        var errors = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-d", folder.toString(), "-proc:none");
            if (!compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IOException(source + " does not compile:\n" + errors);
            }
        }
        var name = String.valueOf(source.getFileName());
        return new AppClasses(folder, name.substring(0, name.lastIndexOf('.')));
    }
}
