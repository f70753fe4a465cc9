/** The state machine of an application: pure decisions, no client, clock or log. */
package io.numaspark.controller.lifecycle;
