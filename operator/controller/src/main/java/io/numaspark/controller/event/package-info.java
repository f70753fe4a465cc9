/** How parts of the operator hear of each other without knowing each other. */
package io.numaspark.controller.event;
