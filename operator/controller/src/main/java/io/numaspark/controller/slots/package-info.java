/**
 * Counts the slots of nodes and decides who may take them: pure rules, and the memory between two
 * looks at the cluster; no client, and no clock of its own.
 */
package io.numaspark.controller.slots;
