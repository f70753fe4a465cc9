package io.numaspark.render.application;

import java.util.Optional;
import java.util.Set;

/**
 * What the cluster offers to numaspark's Spark plugin.
 *
 * @param jar where its jar is; empty if only applications may know
 * @param byDefault whether it is loaded into applications that do not speak of it, where its jar is
 *     known and Spark is recent enough
 * @param sharedPages folders on the nodes in which executors of one application share pages
 */
public record PluginPolicy(Optional<PluginJar> jar, boolean byDefault, SharedPages sharedPages) {

  /** Applications that want the plugin have to bring its jar. */
  public static final PluginPolicy NONE =
      new PluginPolicy(Optional.empty(), false, new SharedPages("", Set.of()));

  /**
   * For files without an operator: as if its settings named the jar, which is loaded only where an
   * application asks for it.
   */
  public static final PluginPolicy ASSUMED =
      new PluginPolicy(
          Optional.of(new PluginJar.InImage("/opt/spark/jars/" + PluginJar.FILE)),
          false,
          new SharedPages("", Set.of()));

  /**
   * A volume of the node for each namespace that may share pages.
   *
   * @param claim name of the PersistentVolumeClaim, the same in all of them
   * @param namespaces those that have it
   */
  public record SharedPages(String claim, Set<String> namespaces) {}
}
