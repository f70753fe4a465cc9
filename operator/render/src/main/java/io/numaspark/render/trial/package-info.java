/** The page of a trial. Pure. */
package io.numaspark.render.trial;
