package io.numaspark.controller.certificate;

import java.util.Optional;

/** A part of a Secret, or why there is none that could be used. */
sealed interface Part<T> {

  /** It was read, and belongs together. */
  record Usable<T>(T value) implements Part<T> {}

  /** It cannot be used at any time. */
  record Unusable<T>(String why) implements Part<T> {}

  /** The part, if it can be used. */
  default Optional<T> usable() {
    return this instanceof Usable<T> usable ? Optional.of(usable.value()) : Optional.empty();
  }
}
