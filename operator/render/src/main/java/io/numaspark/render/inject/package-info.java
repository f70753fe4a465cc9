/** Gives executors that others create the shape of a profile: functions from tree to tree. */
package io.numaspark.render.inject;
