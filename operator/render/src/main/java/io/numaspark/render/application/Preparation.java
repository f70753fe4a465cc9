package io.numaspark.render.application;

/** What preparing an attempt came to: what it asks for, or why it is refused. */
public sealed interface Preparation permits Request, RenderResult.Refusal {}
