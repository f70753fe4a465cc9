/**
 * A reading of a machine as the custom resource has it. Pure functions, shared by agent and cli.
 */
package io.numaspark.render.topology;
