/** What executors do with their CPUs, from what agents have counted. */
package io.numaspark.render.counters;
