/**
 * Answers API servers by HTTPS about executors that others create and defaults of our applications;
 * knows no client.
 */
package io.numaspark.controller.webhook;
