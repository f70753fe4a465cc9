/**
 * The certificates of the admission webhook: what is there, what to make, and the key that is
 * served. Knows no client; {@code apply} and {@code watch} read and write the Secret.
 */
package io.numaspark.controller.certificate;
