/** Pictures of a fleet: what profiles plan for node classes, and what runs on a node now. */
package io.numaspark.render.fleet;
