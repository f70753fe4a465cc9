/**
 * Counts the slots of nodes and decides who may take them: pure rules, without a client, a clock or
 * a memory between two decisions.
 */
package io.numaspark.controller.slots;
