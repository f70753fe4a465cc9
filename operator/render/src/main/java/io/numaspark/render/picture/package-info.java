/**
 * The node picture: sockets, NUMA nodes, last-level caches, cores and threads with the executors on
 * them, as SVG and as HTML.
 *
 * <p>{@link io.numaspark.render.picture.NodePicture} says what is drawn; {@link
 * io.numaspark.render.picture.SvgPage} and {@link io.numaspark.render.picture.HtmlPage} draw it,
 * without a script and without anything from elsewhere.
 */
package io.numaspark.render.picture;
