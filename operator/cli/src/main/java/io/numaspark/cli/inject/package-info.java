/** Rewrites the manifests of other Spark operators: pure functions from text to text. */
package io.numaspark.cli.inject;
