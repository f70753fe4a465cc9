/** Answers API servers by HTTPS about executors that others create; knows no client. */
package io.numaspark.controller.webhook;
