package io.numaspark.render.fleet;

import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.render.picture.Link;
import io.numaspark.render.picture.NodePicture;
import io.numaspark.render.picture.Note;
import io.numaspark.render.picture.Picture;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Draws the node classes of all profiles as they are planned, with a link to each node.
 *
 * <p>Limit: of a class with more than {@value #MOST_NODES} nodes the first are linked; the others
 * are found by their names.
 */
public final class FleetPicture {
  static final int MOST_NODES = 200;

  /** Notes that say the same of many nodes must not make the page grow with them. */
  private static final int MOST_NOTES = 20;

  private FleetPicture() {}

  /** The picture; links are relative to a page called nodes. */
  public static Picture of(Fleet fleet) {
    List<String> lead = new ArrayList<>();
    List<NodePicture> pictures = new ArrayList<>();
    List<Note> notes = new ArrayList<>();
    fleet
        .plans()
        .forEach(
            (profile, plan) -> {
              lead.add(sentence(profile, plan));
              PlannedClass.withoutClass(plan).stream().limit(MOST_NOTES).forEach(notes::add);
              PlannedClass.of(plan).forEach(one -> pictures.add(picture(profile, one, fleet)));
            });
    if (lead.isEmpty()) {
      lead.add(
          "No profile is planned here. If the operator runs with several replicas, only the one that holds the lease"
              + " knows nodes: ask that pod.");
    }
    return new Picture("Node classes", lead, pictures, notes, List.of());
  }

  private static String sentence(String profile, ProfilePlan plan) {
    if (plan.result() instanceof Shortfall shortfall) {
      return "Profile %s: no executor fits: %s. Remedy: %s."
          .formatted(profile, shortfall.message(), shortfall.remedy());
    }
    return "Profile %s: %s.".formatted(profile, ((Plan) plan.result()).why());
  }

  private static NodePicture picture(String profile, PlannedClass planned, Fleet fleet) {
    List<Link> links = new ArrayList<>();
    planned.nodes().stream()
        .limit(MOST_NODES)
        .forEach(
            node ->
                links.add(
                    new Link(
                        node,
                        "nodes/" + Link.segment(node),
                        fleet.slots(node).map(Fleet.SlotUse::text).orElse("no slots"))));
    int more = planned.nodes().size() - links.size();
    return NodePicture.of(
            "Profile %s: %s".formatted(profile, planned.title()),
            planned.description() + (more > 0 ? " " + more + " nodes are not listed." : ""),
            planned.layout(),
            planned.slots(),
            planned.notes())
        .withLinks(links);
  }

  /** What runs on one node; empty if no profile has it. */
  public static Optional<Picture> ofNode(Fleet fleet, String node) {
    return NodeSnapshot.find(fleet, node).map(NodeSnapshot::picture);
  }
}
