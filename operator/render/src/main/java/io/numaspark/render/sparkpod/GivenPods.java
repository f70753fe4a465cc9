package io.numaspark.render.sparkpod;

import io.numaspark.api.v1alpha1.Decommission;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the fields and templates of an application say of its pods. Each side is parsed when it is
 * asked for the first time, and only then.
 *
 * <p>Limit: for one thread.
 */
public final class GivenPods {
  private final SparkApplicationSpec spec;
  private final Map<Side, GivenPod> parsed = new EnumMap<>(Side.class);

  /** The pods of an application. */
  public GivenPods(SparkApplicationSpec spec) {
    this.spec = spec;
  }

  /** The application's spec. */
  public SparkApplicationSpec spec() {
    return spec;
  }

  /**
   * The pod of one side.
   *
   * @throws IllegalArgumentException naming the field that does not fit and the remedy
   */
  public GivenPod of(Side side) {
    return parsed.computeIfAbsent(side, absent -> FieldPods.read(absent, spec));
  }

  /**
   * Seconds that executors have to move their blocks, also where no schema filled the default in.
   */
  public static int graceSeconds(Decommission decommission) {
    return Objects.requireNonNullElse(decommission.graceSeconds(), 120);
  }

  /** Parses both sides. */
  public void check() {
    List.of(Side.values()).forEach(this::of);
  }

  /** One parsed pod. */
  public static final class GivenPod {
    private final SparkPod pod;
    private final Optional<String> serviceAccount;
    private final List<String> unknownFields;

    GivenPod(SparkPod pod, Optional<String> serviceAccount, List<String> unknownFields) {
      this.pod = pod;
      this.serviceAccount = serviceAccount;
      this.unknownFields = unknownFields;
    }

    /** The pod; the caller may change it. */
    public SparkPod pod() {
      return pod.copy();
    }

    /** The service account; empty if neither the typed field nor the template names one. */
    public Optional<String> serviceAccount() {
      return serviceAccount;
    }

    /**
     * The fields of the template that Kubernetes does not have and that are therefore not used.
     *
     * @return path and type, at most ten
     */
    public List<String> unknownFields() {
      return unknownFields;
    }
  }
}
