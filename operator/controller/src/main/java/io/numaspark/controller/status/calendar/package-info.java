/** The times of a schedule: cron fields, nicknames and intervals. Pure: the time is an argument. */
package io.numaspark.controller.status.calendar;
