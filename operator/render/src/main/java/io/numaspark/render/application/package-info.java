/**
 * What an attempt of an application asks for and what it is answered with: {@link
 * io.numaspark.render.application.Request}, {@link io.numaspark.render.application.Concern}, {@link
 * io.numaspark.render.application.Contribution} and {@link
 * io.numaspark.render.application.RenderResult}. The packages of the concerns depend on this one.
 */
package io.numaspark.render.application;
