/** Reports of the data that applications read and write. */
package io.numaspark.render.lineage;
