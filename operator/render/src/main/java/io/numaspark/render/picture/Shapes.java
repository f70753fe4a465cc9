package io.numaspark.render.picture;

/** The few shapes that all drawings are made of. */
final class Shapes {
  private final Markup out;

  Shapes(Markup out) {
    this.out = out;
  }

  void rect(String style, Rect rect, int radius) {
    out.empty(
        "rect",
        "class",
        style,
        "x",
        String.valueOf(rect.x()),
        "y",
        String.valueOf(rect.y()),
        "width",
        String.valueOf(rect.width()),
        "height",
        String.valueOf(rect.height()),
        "rx",
        String.valueOf(radius));
  }

  /** A filled area, coloured by the class of its group. */
  void group(String style, Rect rect) {
    out.open("g", "class", style);
    rect("face", rect, 1);
    out.close();
  }

  void text(String style, String text, int x, int y) {
    out.element("text", text, "class", style, "x", String.valueOf(x), "y", String.valueOf(y));
  }

  /** Starts the group of a holder, which takes the focus and has a name for screen readers. */
  void openHolder(CpuHolder holder, ApplicationColours colours) {
    out.open(
        "g",
        "class",
        "holder " + colours.style(holder),
        "tabindex",
        "0",
        "role",
        "img",
        "aria-label",
        holder.spoken());
  }

  /** Starts a group at a place. */
  void openAt(int x, int y) {
    out.open("g", "transform", "translate(" + x + " " + y + ")");
  }

  /** The patterns of reserved and stranded CPUs, once for each document. */
  void patterns() {
    out.open("defs");
    out.open(
        "pattern",
        "id",
        "reserved",
        "width",
        "6",
        "height",
        "6",
        "patternUnits",
        "userSpaceOnUse",
        "patternTransform",
        "rotate(45)");
    out.empty("rect", "class", "reserved-fill", "width", "6", "height", "6");
    out.empty("rect", "class", "reserved-line", "width", "2", "height", "6");
    out.close();
    out.open(
        "pattern", "id", "stranded", "width", "7", "height", "7", "patternUnits", "userSpaceOnUse");
    out.empty("rect", "class", "stranded-fill", "width", "7", "height", "7");
    out.empty("circle", "class", "stranded-line", "cx", "3.5", "cy", "3.5", "r", "1.2");
    out.close();
    out.close();
  }
}
