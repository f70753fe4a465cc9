/** Fills what an application leaves open from its namespace: functions from tree to tree. */
package io.numaspark.render.defaults;
