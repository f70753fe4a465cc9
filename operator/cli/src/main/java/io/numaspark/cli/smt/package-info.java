/**
 * Switches SMT of a node, with the rights of the person who runs it: cordon, drain, a program on
 * the node, a check of the result, uncordon.
 *
 * <p>{@link io.numaspark.cli.smt.SmtSwitch} decides the next step from what it sees, and {@link
 * io.numaspark.cli.smt.KubernetesCluster} alone talks to the API server.
 */
package io.numaspark.cli.smt;
