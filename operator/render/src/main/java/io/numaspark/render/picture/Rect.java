package io.numaspark.render.picture;

/** A rectangle in pixels. */
record Rect(int x, int y, int width, int height) {
  /** The smallest rectangle that holds both. */
  Rect and(Rect other) {
    int left = Math.min(x, other.x);
    int top = Math.min(y, other.y);
    return new Rect(
        left,
        top,
        Math.max(x + width, other.x + other.width) - left,
        Math.max(y + height, other.y + other.height) - top);
  }
}
