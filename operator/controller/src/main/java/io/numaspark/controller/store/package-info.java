/**
 * What the operator remembers between two reconciliations, and nothing that reads or writes the
 * cluster. A restart empties it; each class says what fills it again.
 */
package io.numaspark.controller.store;
