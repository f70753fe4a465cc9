/** What others wrote, made fit to be shown. */
package io.numaspark.controller.foreign;
