package io.numaspark.render.application;

import java.util.Optional;

/**
 * What the operator's settings decide for all applications, and what it knows of the cluster.
 *
 * @param defaultServiceAccount service account of drivers whose application names none
 * @param ui what is made for web UIs
 * @param plugin what there is for the Spark plugin
 * @param grants what applications may ask for
 * @param podGroupApiVersion the apiVersion of the batch scheduler's PodGroup that the API server
 *     serves; empty if that is not known
 */
public record Policies(
    String defaultServiceAccount,
    UiPolicy ui,
    PluginPolicy plugin,
    Grants grants,
    Optional<String> podGroupApiVersion) {

  /** The settings, without knowledge of a cluster. */
  public Policies(String defaultServiceAccount, UiPolicy ui, PluginPolicy plugin, Grants grants) {
    this(defaultServiceAccount, ui, plugin, grants, Optional.empty());
  }

  /** The same for an API server that serves this PodGroup. */
  public Policies withPodGroups(String apiVersion) {
    return new Policies(defaultServiceAccount, ui, plugin, grants, Optional.of(apiVersion));
  }
}
