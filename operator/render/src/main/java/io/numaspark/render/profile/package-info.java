/** From profiles and topologies to the planner's inputs, and the plan of a whole profile. Pure. */
package io.numaspark.render.profile;
