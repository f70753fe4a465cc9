/** What profiles want of the knobs of their nodes, and what the node agents say of them. */
package io.numaspark.render.knobs;
