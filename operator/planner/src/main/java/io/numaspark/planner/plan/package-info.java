/** The search for one executor shape and its layout on every node class. */
package io.numaspark.planner.plan;
