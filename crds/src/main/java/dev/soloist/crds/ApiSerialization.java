package dev.soloist.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/// How objects of the API group are read.
public final class ApiSerialization {

    private ApiSerialization() {}

    /// For everything that reads from an API server. A field or an enum value of a newer version does not stop the
    /// reader, as it would by default (the informer gives up and the operator with it): the field is left out, an
    /// enum value of ours becomes `UNKNOWN`, which the rules then refuse with a sentence. A value of the wrong kind
    /// is read as absent. Each call makes a new object; keep it with the client.
    public static KubernetesSerialization lenient() {
        var json = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
                .addHandler(new SkipWhatCannotBeRead())
                .build();
        return new KubernetesSerialization(json, true);
    }

    /// For manifests that no API server checks. An unknown field or enum value is an error, as it is for `kubectl
    /// apply`.
    public static KubernetesSerialization strict() {
        var json = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .annotationIntrospector(new NothingOfOursIsIgnorable())
                .build();
        return new KubernetesSerialization(json, true);
    }

    private static final class NothingOfOursIsIgnorable extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated element) {
            return element.getRawType().getName().startsWith("dev.soloist.")
                    ? JsonIgnoreProperties.Value.empty()
                    : super.findPropertyIgnoralByName(config, element);
        }
    }
}
