/** The composition root: which parts there are, and which of them hears of which. */
package io.numaspark.controller.wiring;
