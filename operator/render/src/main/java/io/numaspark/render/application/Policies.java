package io.numaspark.render.application;

/**
 * What the operator's settings decide for all applications.
 *
 * @param defaultServiceAccount service account of drivers whose application names none
 * @param ui what is made for web UIs
 * @param plugin what there is for the Spark plugin
 * @param grants what applications may ask for
 */
public record Policies(
    String defaultServiceAccount, UiPolicy ui, PluginPolicy plugin, Grants grants) {}
