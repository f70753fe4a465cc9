/** Serves admission reviews by HTTPS. Decides nothing, and knows no client. */
package io.numaspark.controller.webhook;
