/** Files of other Spark operators and of spark-submit, whose text keeps what is not changed. */
package io.numaspark.cli.inject;
