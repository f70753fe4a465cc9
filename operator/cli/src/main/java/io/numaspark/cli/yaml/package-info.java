/** YAML files that are read strictly, and changed without touching what is not changed. */
package io.numaspark.cli.yaml;
