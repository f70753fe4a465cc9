/** How many executors may be sent to a node on which other pods run, wherever those sit. */
package io.numaspark.planner.capacity;
