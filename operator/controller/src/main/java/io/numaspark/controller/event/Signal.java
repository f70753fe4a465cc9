package io.numaspark.controller.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Something that happens in one part of the operator, for parts that it does not know. Who listens
 * is written in the composition root alone.
 *
 * <p>Listeners are called in the order in which they came, on the thread that emits. Limit: nothing
 * is kept for a listener that comes later.
 *
 * @param <T> what is said of each occurrence
 */
public final class Signal<T> {
  private final List<Consumer<T>> listeners = new CopyOnWriteArrayList<>();

  /** Calls the listener at each further occurrence. */
  public void listen(Consumer<? super T> listener) {
    listeners.add(listener::accept);
  }

  /** Calls all listeners. */
  public void emit(T occurrence) {
    listeners.forEach(listener -> listener.accept(occurrence));
  }
}
