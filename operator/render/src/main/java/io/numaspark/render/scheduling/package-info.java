/** Gangs for batch schedulers: PodGroups and task groups. */
package io.numaspark.render.scheduling;
