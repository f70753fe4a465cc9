package io.numaspark.render.picture;

import java.util.Locale;
import java.util.function.Supplier;

/** The pictures that the tests draw, by name. */
enum Drawn {
  UNPINNED(Pictures::unpinned),
  ESCAPED(Pictures::nasty),
  LONE_THREAD(Pictures::loneThread),
  EPYC(Pictures::epyc),
  POWER8(Pictures::power8),
  MANY_CORES(() -> Pictures.full("epyc-2x96-nps1", 4, "etl")),
  MEMORY_ONLY(Pictures::memoryOnly);

  private final Supplier<Picture> picture;

  Drawn(Supplier<Picture> picture) {
    this.picture = picture;
  }

  Picture picture() {
    return picture.get();
  }

  /** The name of its file. */
  String file(String ending) {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + "." + ending;
  }
}
