/** A small HTTP server that no client can keep busy. */
package io.numaspark.controller.http;
