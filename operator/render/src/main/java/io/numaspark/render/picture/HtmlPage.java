package io.numaspark.render.picture;

import io.numaspark.render.picture.Legend.Entry;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.SocketBox;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * A picture as one HTML page that wraps to the width of its window, with a table for each node.
 *
 * <p>It has no script and fetches nothing; {@link #contentSecurityPolicy} admits its style sheet
 * alone.
 */
public final class HtmlPage {
  /** A phone holds so many columns of threads. */
  private static final int COLUMNS = 12;

  private static final int BESIDE_WIDTH = 328;

  private final Picture picture;
  private final ApplicationColours colours;
  private final Markup out = new Markup();

  private HtmlPage(Picture picture) {
    this.picture = picture;
    this.colours = ApplicationColours.of(picture.holders());
  }

  /** The text of the page. */
  public static String of(Picture picture) {
    return new HtmlPage(picture).write();
  }

  /** The value of the header Content-Security-Policy for every page. */
  public static String contentSecurityPolicy() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(StyleSheet.ofHtml().getBytes(StandardCharsets.UTF_8));
      return "default-src 'none'; style-src 'sha256-"
          + Base64.getEncoder().encodeToString(digest)
          + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private String write() {
    out.open("html", "lang", "en");
    out.open("head");
    out.empty("meta", "charset", "utf-8");
    out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    out.element("title", picture.title());
    out.style(StyleSheet.ofHtml());
    out.close();
    out.open("body");
    out.open("svg", "class", "patterns", "aria-hidden", "true");
    new Shapes(out).patterns();
    out.close();
    out.open("header");
    links("Pages", picture.links());
    out.element("h1", picture.title());
    picture.lead().forEach(line -> out.element("p", line));
    legend();
    out.close();
    out.open("main");
    notes("Notes", picture.notes());
    for (int i = 0; i < picture.nodes().size(); i++) {
      node(picture.nodes().get(i), "node-" + i);
    }
    out.close();
    out.close();
    return "<!DOCTYPE html>\n" + out.close().finish();
  }

  private void legend() {
    out.open("ul", "class", "legend", "aria-label", "Legend");
    for (Entry entry : new Legend(picture, colours).entries()) {
      out.open("li");
      out.open("svg", "width", "14", "height", "14", "aria-hidden", "true");
      SvgPage.swatch(new Shapes(out), entry.style(), 0, 0);
      out.close();
      out.element("span", entry.text());
      out.close();
    }
    out.close();
  }

  private void node(NodePicture node, String id) {
    out.open("section", "class", "node", "aria-labelledby", id);
    out.element("h2", node.name(), "id", id);
    out.element("p", node.description(), "class", "quiet");
    links("Nodes", node.links());
    out.open("div", "class", node.notes().isEmpty() ? "columns" : "columns noted");
    out.open("div", "class", "sockets");
    node.sockets().forEach(socket -> socket(node, socket));
    if (!node.beside().isEmpty()) {
      out.open("section", "class", "group");
      BesideDrawing beside = new BesideDrawing(node.beside(), colours, BESIDE_WIDTH);
      openSvg(BesideDrawing.heading(), "any", beside.width(), beside.height());
      beside.write(out);
      out.close();
      out.close();
    }
    out.close();
    notes("Findings", node.notes());
    out.close();
    new HolderTable(node).write(out);
    out.close();
  }

  /** NUMA nodes that would be high and narrow are drawn a second time for wide windows. */
  private void socket(NodePicture node, SocketBox socket) {
    out.open("section", "class", "group", "aria-label", "Socket " + socket.id());
    out.element("h3", "Socket " + socket.id());
    out.open("div", "class", "boxes");
    int wide = NodeDrawing.columns(node, colours);
    for (NumaBox box : socket.numaNodes()) {
      if (wide == COLUMNS) {
        numaNode(node, box, COLUMNS, "any");
      } else {
        numaNode(node, box, COLUMNS, "narrow");
        numaNode(node, box, wide, "wide");
      }
    }
    out.close();
    out.close();
  }

  private void numaNode(NodePicture node, NumaBox box, int columns, String windows) {
    NumaDrawing drawing =
        new NumaDrawing(box, colours, NodeDrawing.widthOfNumaNodes(node, columns));
    openSvg(drawing.spoken(), windows, drawing.width(), drawing.height());
    drawing.write(out);
    out.close();
  }

  private void openSvg(String label, String windows, int width, int height) {
    out.open(
        "svg",
        "class",
        windows,
        "viewBox",
        "0 0 %d %d".formatted(width, height),
        "width",
        String.valueOf(width),
        "height",
        String.valueOf(height),
        "role",
        "group",
        "aria-label",
        label);
  }

  private void links(String heading, List<Link> links) {
    if (links.isEmpty()) {
      return;
    }
    out.open("nav", "aria-label", heading);
    out.open("ul", "class", "links");
    for (Link link : links) {
      out.open("li");
      out.element("a", link.text(), "href", link.href());
      if (!link.remark().isEmpty()) {
        out.element("span", " " + link.remark(), "class", "quiet");
      }
      out.close();
    }
    out.close();
    out.close();
  }

  private void notes(String heading, List<Note> notes) {
    if (notes.isEmpty()) {
      return;
    }
    out.open("aside", "aria-label", heading);
    out.element("h3", heading);
    out.open("ul");
    for (Note note : notes) {
      out.open("li");
      out.element("strong", note.heading(), "class", note.severity().displayName());
      out.element("div", note.message());
      if (!note.remedy().isEmpty()) {
        out.element("div", "Remedy: " + note.remedy(), "class", "quiet");
      }
      out.close();
    }
    out.close();
    out.close();
  }
}
