/** From the manifests of other Spark operators to numaspark's. Pure: texts in, texts out. */
package io.numaspark.cli.convert;
