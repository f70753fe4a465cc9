/**
 * The operator's composition root; everything else lives in the packages below, which a layer test
 * keeps apart.
 */
package io.numaspark.controller;
