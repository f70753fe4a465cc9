/**
 * Knobs of a node: which there are, how a processor or kernel implements each, and how the reader
 * asks the privileged writer for them.
 *
 * <p>Nothing here writes to the machine; that is package {@code writer}.
 */
package io.numaspark.agent.knob;
