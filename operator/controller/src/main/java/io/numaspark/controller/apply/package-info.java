/** Writes: the driver's objects, and slots on nodes. Decides nothing. */
package io.numaspark.controller.apply;
