/** From what an application asks for to executors in number and size. */
package io.numaspark.render.sizing;
