/**
 * The privileged side of the agent: sets the knobs that the reader names over a local socket, and
 * puts every one back.
 *
 * <p>It has no network and no API token, and takes names of a closed set, never register numbers.
 */
package io.numaspark.agent.writer;
