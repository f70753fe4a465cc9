package io.numaspark.render.picture;

import io.numaspark.render.picture.Palette.Others;
import io.numaspark.render.picture.Palette.Tint;

/**
 * The style sheet of the pictures: light, and dark where the reader's system asks for it.
 *
 * <p>Rules name colours instead of variables, which not every viewer of SVG files knows.
 */
final class StyleSheet {
  private static final String SHAPES =
      """
      text{font-family:system-ui,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;font-size:11px}
      .h1{font-size:18px;font-weight:600}.h2{font-size:15px;font-weight:600}.h3{font-size:12px;font-weight:600}
      .end{text-anchor:end}.cpu{pointer-events:none}.cpu text{font-size:10px;text-anchor:middle}.small{font-size:10px}
      .label{font-size:10px;font-weight:600}.on-reserved,.on-stranded,.reserved .label,.stranded .label{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}.box,.llc,.panel,.socket{stroke-width:1}.socket{fill:none}.llc{fill:none}
      .face{stroke-width:1.5}.free .face{stroke-dasharray:1 3}.not .face{stroke-width:2;stroke-dasharray:5 2}.unknown .face{stroke-dasharray:2 2}
      .holder{cursor:default}.holder:focus{outline:none}.holder:hover .face,.holder:focus .face{stroke-width:3;stroke-dasharray:none}
      .tip{visibility:hidden;pointer-events:none}.holder:hover .tip,.holder:focus .tip{visibility:visible}
      .holders:hover .holder:focus:not(:hover) .tip{visibility:hidden}
      """;

  private static final String PAGE =
      """
      body{margin:0;padding:16px;font:14px/1.45 system-ui,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
      h1{font-size:20px;margin:0 0 4px}h2{font-size:17px;margin:0}h3{font-size:13px;margin:0 0 4px}p{margin:4px 0;max-width:70em}
      h1,h2,p,li,dd,td{overflow-wrap:anywhere}
      ul{list-style:none;margin:8px 0;padding:0}.legend{display:flex;flex-wrap:wrap;gap:4px 16px}.legend svg{vertical-align:-3px}
      .links{display:flex;flex-wrap:wrap;gap:4px 20px;max-height:9em;overflow-y:auto}
      section.node{border-top:1px solid;margin-top:16px;padding-top:12px}
      .columns{display:grid;gap:16px;align-items:start;margin-top:8px;grid-template-columns:minmax(0,1fr)}
      @media (min-width:900px){.noted{grid-template-columns:minmax(0,max-content) minmax(240px,46em)}}
      .sockets{display:flex;flex-wrap:wrap;gap:12px}
      .group{border:1px solid;border-radius:6px;padding:8px;box-sizing:border-box;max-width:100%}
      .boxes{display:flex;flex-wrap:wrap;gap:8px}.boxes svg{display:block;max-width:100%;height:auto}
      .boxes .wide{display:none}@media (min-width:900px){.boxes .narrow{display:none}.boxes .wide{display:block}}
      aside{min-width:0;max-width:46em}aside h3{font-size:14px}aside li{margin-bottom:8px}
      details{margin-top:10px}summary{cursor:pointer}.scroll{overflow-x:auto}
      table{border-collapse:collapse;margin-top:6px;font-size:13px}
      th,td{border:1px solid;padding:2px 8px;text-align:left;vertical-align:top}td{min-width:3.5em}td.cpus{min-width:9em}
      :focus-visible{outline:2px solid;outline-offset:2px}
      .patterns{position:absolute;width:0;height:0}
      """;

  private StyleSheet() {}

  /** For a picture that is a file of its own. */
  static String ofSvg() {
    return "\n" + SHAPES + svg(Palette.LIGHT) + dark(svg(Palette.DARK));
  }

  /** For a page. */
  static String ofHtml() {
    return "\n:root{color-scheme:light dark}\n"
        + PAGE
        + SHAPES
        + svg(Palette.LIGHT)
        + html(Palette.LIGHT)
        + dark(svg(Palette.DARK) + html(Palette.DARK));
  }

  private static String dark(String rules) {
    return "@media (prefers-color-scheme:dark){\n" + rules + "}\n";
  }

  private static String svg(Palette palette) {
    Others others = palette.others();
    StringBuilder css = new StringBuilder();
    css.append(
        "text{fill:%s}.muted{fill:%s}.alarm{fill:%s}\n"
            .formatted(palette.ink().text(), palette.ink().muted(), palette.ink().alarm()));
    css.append(
        ".page{fill:%s}.box,.panel{fill:%s}.box,.llc,.socket,.panel{stroke:%s}\n"
            .formatted(palette.page(), palette.box(), palette.line()));
    css.append(pattern("reserved", others.reserved()))
        .append(pattern("stranded", others.stranded()));
    css.append(face("free", others.free())).append(face("slot", others.slot()));
    css.append(face("pod", others.pod()));
    css.append(face("cache", new Tint(palette.box(), palette.line())));
    for (int i = 0; i < palette.applications().size(); i++) {
      css.append(face("app" + i, palette.applications().get(i)));
    }
    css.append(
        ".not .face{stroke:%s}.holder:hover .face,.holder:focus .face{stroke:%s}\n"
            .formatted(palette.ink().alarm(), palette.ink().text()));
    return css.toString();
  }

  private static String face(String name, Tint tint) {
    return ".%s .face{fill:%s;stroke:%s}\n".formatted(name, tint.fill(), tint.edge());
  }

  /** The area takes its fill from the pattern, the pattern from these rules. */
  private static String pattern(String name, Tint tint) {
    return ".%1$s .face{fill:url(#%1$s);stroke:%3$s}.%1$s-fill{fill:%2$s}.%1$s-line{fill:%3$s}.on-%1$s,.%1$s .label{stroke:%2$s}\n"
        .formatted(name, tint.fill(), tint.edge());
  }

  private static String html(Palette palette) {
    return "body{background:%s;color:%s}a{color:inherit}.group,section.node,th,td{border-color:%s}h3,.quiet{color:%s}strong.Error{color:%s}\n"
        .formatted(
            palette.page(),
            palette.ink().text(),
            palette.line(),
            palette.ink().muted(),
            palette.ink().alarm());
  }
}
