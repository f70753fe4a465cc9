/** From what was planned and observed to statuses. Pure: no client, the time is an argument. */
package io.numaspark.controller.status;
