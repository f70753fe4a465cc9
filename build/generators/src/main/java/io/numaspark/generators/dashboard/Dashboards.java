package io.numaspark.generators.dashboard;

import io.numaspark.generators.GeneratedFile;
import java.util.List;
import java.util.stream.Stream;

/** The Grafana dashboards, with the chart's copies: Helm packages only what is below its folder. */
public final class Dashboards {
  static final List<Dashboard> ALL =
      List.of(
          FleetDashboard.dashboard(),
          OperatorDashboard.dashboard(),
          NodeDashboard.dashboard(),
          ApplicationDashboard.dashboard());

  private Dashboards() {}

  public static List<GeneratedFile> files() {
    return ALL.stream()
        .flatMap(
            dashboard ->
                Stream.of("dashboards", "charts/numaspark/files/dashboards")
                    .map(
                        folder ->
                            new GeneratedFile(
                                folder + "/" + dashboard.name() + ".json",
                                GrafanaJson.of(dashboard))))
        .toList();
  }
}
