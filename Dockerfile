# The images soloist-operator and soloist-sidecar (targets `operator` and `sidecar`), from the jars that `make build`
# leaves in <module>/target. The build needs no network and no special builder.
ARG JDK_IMAGE=eclipse-temurin:25-jdk
ARG BASE_IMAGE=debian:bookworm-slim

# A runtime with the modules that the jars ask for, and those that are only found at run time: elliptic curves, the
# operating system's figures for the metrics, the keep-alive settings of sockets, sun.misc.Unsafe for Netty.
FROM ${JDK_IMAGE} AS sidecar-runtime
COPY sidecar/target/lib/ /app/lib/
COPY sidecar/target/sidecar-*-SNAPSHOT.jar /app/sidecar.jar
RUN modules=$(jdeps --print-module-deps --ignore-missing-deps --multi-release 25 /app/sidecar.jar /app/lib/*.jar) \
    && jlink --add-modules "$modules,jdk.crypto.ec,jdk.management,jdk.net,jdk.unsupported" \
        --strip-java-debug-attributes --no-header-files --no-man-pages --output /app/jre

FROM ${JDK_IMAGE} AS operator-runtime
COPY operator/target/lib/ /app/lib/
COPY operator/target/operator-*-SNAPSHOT.jar /app/operator.jar
RUN modules=$(jdeps --print-module-deps --ignore-missing-deps --multi-release 25 /app/operator.jar /app/lib/*.jar) \
    && jlink --add-modules "$modules,jdk.crypto.ec,jdk.management,jdk.net,jdk.unsupported" \
        --strip-java-debug-attributes --no-header-files --no-man-pages --output /app/jre

# The AOT cache is made by a training run with the flags, paths and jars of the image itself, since it holds for nothing
# else. At run time a cache that does not fit is passed over in silence; so the build asks once for one that must fit.
FROM ${BASE_IMAGE} AS sidecar
COPY --from=sidecar-runtime /app/ /app/
COPY sidecar/src/main/image/jvm.flags /app/
ENV MALLOC_ARENA_MAX=2
RUN cd /app \
    && jre/bin/java -XX:AOTCacheOutput=/app/sidecar.aot @/app/jvm.flags -jar /app/sidecar.jar --train \
    && jre/bin/java -XX:AOTCache=/app/sidecar.aot -XX:AOTMode=on @/app/jvm.flags -jar /app/sidecar.jar --train
USER 65532:65532
ENTRYPOINT ["/app/jre/bin/java", "-XX:AOTCache=/app/sidecar.aot", "@/app/jvm.flags", "-jar", "/app/sidecar.jar"]

FROM ${BASE_IMAGE} AS operator
COPY --from=operator-runtime /app/ /app/
COPY operator/src/main/image/jvm.flags /app/
ENV MALLOC_ARENA_MAX=2
RUN cd /app \
    && jre/bin/java -XX:AOTCacheOutput=/app/operator.aot @/app/jvm.flags -jar /app/operator.jar --train \
    && jre/bin/java -XX:AOTCache=/app/operator.aot -XX:AOTMode=on @/app/jvm.flags -jar /app/operator.jar --train
USER 65532:65532
ENTRYPOINT ["/app/jre/bin/java", "-XX:AOTCache=/app/operator.aot", "@/app/jvm.flags", "-jar", "/app/operator.jar"]
