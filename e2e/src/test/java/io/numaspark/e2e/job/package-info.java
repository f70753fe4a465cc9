/** Classes that tests bring to Spark. */
package io.numaspark.e2e.job;
