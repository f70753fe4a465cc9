/** Shuffle data in memory: on a tmpfs or in pages. */
package io.numaspark.render.shuffle;
