package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.planner.plan.Explanation;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.executors.PinnedShape;
import io.numaspark.render.picture.HtmlPage;
import io.numaspark.render.picture.SvgPage;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A plan in the words of a format, as plan commands print it. */
public final class PlanReport {
  /** As other documents are, or as a picture of each node class. */
  enum Format {
    TABLE,
    YAML,
    JSON,
    SVG,
    HTML
  }

  private final Format format;
  private final boolean explain;
  private final boolean properties;

  private PlanReport(Format format, boolean explain, boolean properties) {
    this.format = format;
    this.explain = explain;
    this.properties = properties;
  }

  PlanReport(Format format, boolean explain) {
    this(format, explain, false);
  }

  /** The same with every Spark property of the application. */
  PlanReport withProperties() {
    return new PlanReport(format, explain, true);
  }

  /**
   * Plans a profile on nodes.
   *
   * @param pinners whether agents have pinners; true if nobody knows, which a finding then says
   * @throws InputException if the profile contradicts itself
   */
  public static ProfilePlan plan(
      SparkNodeProfile profile, List<MatchedNode> nodes, boolean pinners) {
    try {
      return ProfilePlanner.plan(profile.getSpec(), nodes, pinners);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          "SparkNodeProfile " + profile.getMetadata().getName() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Prints a plan.
   *
   * @return the exit code: 1 if no executor fits or the application is refused
   */
  public int print(
      PrintWriter out,
      SparkNodeProfile profile,
      ProfilePlan plan,
      Optional<SparkApplication> application) {
    PlanDocument document = document(profile, plan, application);
    out.print(print(document, plan));
    out.flush();
    boolean refused = document.application() != null && document.application().refusal() != null;
    return document.shortfall() != null || refused ? Main.EXIT_NO_PLAN : 0;
  }

  private String print(PlanDocument document, ProfilePlan plan) {
    return switch (format) {
      case TABLE -> new PlanTable(document, plan).print();
      case YAML -> OutputFormat.YAML.print(document);
      case JSON -> OutputFormat.JSON.print(document);
      case SVG -> SvgPage.of(new PlanPicture(document, plan).draw());
      case HTML -> HtmlPage.of(new PlanPicture(document, plan).draw());
    };
  }

  private PlanDocument document(
      SparkNodeProfile profile, ProfilePlan plan, Optional<SparkApplication> application) {
    String name = profile.getMetadata().getName();
    List<PlanDocument.Node> nodes = nodes(plan);
    if (plan.result() instanceof Shortfall shortfall) {
      PlanDocument.Shortfall why =
          new PlanDocument.Shortfall(
              shortfall.reason().displayName(), shortfall.message(), shortfall.remedy());
      return new PlanDocument(
          name, null, null, why, nodes, whatIf(plan), null, explain(plan, List.of(), List.of()));
    }
    Plan found = (Plan) plan.result();
    ProfileContext context = context(profile, plan, found);
    Optional<RenderResult> rendered =
        application.map(
            app ->
                new ApplicationRenderer(
                        "spark", UiPolicy.AS_ASKED, PluginPolicy.ASSUMED, Grants.AS_ASKED)
                    .render(app, profileOf(app, context)));
    PinnedShape shape = shape(context, rendered);
    return new PlanDocument(
        name,
        executor(shape),
        found.why(),
        null,
        nodes,
        whatIf(plan),
        rendered.map(result -> application(application.get(), result)).orElse(null),
        explain(plan, shape.pinned().options(), tuning(rendered)));
  }

  /** Null if no topology is known. */
  private static List<PinningWay> whatIf(ProfilePlan plan) {
    return plan.whatIf().ways().isEmpty() ? null : plan.whatIf().ways();
  }

  private ExplainDocument explain(
      ProfilePlan plan, List<JvmOption> options, List<SparkProperty> tuning) {
    return explain
        ? ExplainDocument.of(Explanation.of(plan.result(), plan.policy()), options, tuning)
        : null;
  }

  private static List<SparkProperty> tuning(Optional<RenderResult> rendered) {
    return rendered.isPresent() && rendered.get() instanceof Manifests manifests
        ? manifests.tuning()
        : List.of();
  }

  /** The profile, unless the application names none and is an ordinary one. */
  private static Optional<ProfileContext> profileOf(
      SparkApplication application, ProfileContext profile) {
    return Optional.ofNullable(application.getSpec().nodeProfile()).map(name -> profile);
  }

  static ProfileContext context(SparkNodeProfile profile, ProfilePlan plan, Plan found) {
    return ProfileContext.onNodes(
        profile.getMetadata().getName(), profile.getSpec(), plan.policy(), found);
  }

  private static PinnedShape shape(ProfileContext context, Optional<RenderResult> rendered) {
    return rendered.isPresent()
            && rendered.get() instanceof Manifests manifests
            && manifests.executors().pinned().isPresent()
        ? PinnedShape.of(manifests)
        : PinnedShape.of(context);
  }

  private static PlanDocument.Executor executor(PinnedShape shape) {
    ExecutorMemory memory = shape.pinned().memory();
    long shuffle = memory.shuffleBytes();
    return new PlanDocument.Executor(
        shape.pinned().cpus().cpus(),
        shape.pinned().cpus().taskSlots(),
        memory.heapBytes(),
        memory.overheadBytes(),
        shuffle == 0 ? null : shuffle,
        memory.offHeapBytes(),
        memory.pageCacheBytes(),
        memory.podBytes(),
        shape.pinned().jvmOptions(),
        shape.sparkConf());
  }

  private PlanDocument.Application application(
      SparkApplication application, RenderResult rendered) {
    String name = application.getMetadata().getName();
    boolean pinned = application.getSpec().nodeProfile() != null;
    if (rendered instanceof Refusal refusal) {
      return new PlanDocument.Application(
          name, pinned, 0, 0, List.of(), refusal.reason() + ": " + refusal.message(), null);
    }
    Manifests manifests = (Manifests) rendered;
    int executors = manifests.executors().instances();
    return new PlanDocument.Application(
        name,
        pinned,
        executors,
        (long) executors * manifests.executors().taskSlots(),
        manifests.warnings(),
        null,
        properties
            ? manifests.properties().explained().stream().map(PropertyDocument::of).toList()
            : null);
  }

  private static List<PlanDocument.Node> nodes(ProfilePlan plan) {
    List<PlanDocument.Node> nodes = new ArrayList<>();
    plan.layoutByNode().forEach((name, layout) -> nodes.add(node(name, layout)));
    for (Unusable unusable : plan.unusable()) {
      if (!plan.layoutByNode().containsKey(unusable.node())) {
        nodes.add(
            new PlanDocument.Node(
                unusable.node(),
                null,
                null,
                List.of(),
                new PlanDocument.Stranded("", 0),
                List.of(
                    new PlanDocument.Finding(
                        "Error", unusable.reason(), unusable.problem(), unusable.remedy()))));
      }
    }
    nodes.sort(Comparator.comparing(PlanDocument.Node::name));
    return nodes;
  }

  /** What gives executors their CPUs on nodes of a layout. */
  public static PinnedBy pinnedBy(Layout layout) {
    return layout.nodeClass().machine().isPinnedByRuntime() ? PinnedBy.Runtime : PinnedBy.Kubelet;
  }

  private static String kubeletVersion(Layout layout) {
    Machine machine = layout.nodeClass().machine();
    return machine.isPinnedByRuntime()
        ? null
        : KubeletRelease.of(machine.kubelet()).version().toString();
  }

  private static PlanDocument.Node node(String name, Layout layout) {
    return new PlanDocument.Node(
        name,
        pinnedBy(layout),
        kubeletVersion(layout),
        layout.slots().stream()
            .map(slot -> new PlanDocument.Slot(slot.numaNode(), slot.cpus().toString()))
            .toList(),
        new PlanDocument.Stranded(layout.strandedCpus().toString(), layout.strandedMemoryBytes()),
        layout.findings().stream().map(PlanDocument.Finding::of).toList());
  }
}
