package io.numaspark.planner.jvm;

import java.nio.ByteBuffer;

/**
 * A program that drops direct buffers as a shuffle does: it needs far more of them one after the
 * other than may live at once.
 */
final class DirectBuffers {
  private DirectBuffers() {}

  public static void main(String[] args) {
    long capacity = 0;
    for (int i = 0; i < 64; i++) {
      capacity += ByteBuffer.allocateDirect(1 << 20).capacity();
    }
    System.out.println(capacity);
  }
}
