package numaspark.shuffle;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.spark.unsafe.Platform;

/**
 * Addresses of memory outside of the heap, and giving mapped memory back at a known time.
 *
 * <p>Java 17 has no public API for either. Spark itself uses the same sun.misc.Unsafe
 * (org.apache.spark.unsafe.Platform), which is reached by reflection here because javac cannot be
 * told not to warn of it.
 */
final class Memory {
  private static final MethodHandle INVOKE_CLEANER;
  private static final MethodHandle ALLOCATE_INSTANCE;
  private static final MethodHandle FIELD_OFFSET;
  private static final long ADDRESS;

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      INVOKE_CLEANER =
          lookup
              .findVirtual(
                  type, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
              .bindTo(unsafe);
      ALLOCATE_INSTANCE =
          lookup
              .findVirtual(
                  type, "allocateInstance", MethodType.methodType(Object.class, Class.class))
              .bindTo(unsafe);
      FIELD_OFFSET =
          lookup
              .findVirtual(
                  type, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
              .bindTo(unsafe);
      ADDRESS = (long) FIELD_OFFSET.invokeExact(Buffer.class.getDeclaredField("address"));
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Memory() {}

  /** Where a direct buffer begins. */
  static long address(ByteBuffer direct) {
    return Platform.getLong(direct, ADDRESS);
  }

  /** Unmaps or frees a direct buffer; whoever reads it afterwards brings the process down. */
  static void free(ByteBuffer direct) {
    try {
      INVOKE_CLEANER.invokeExact(direct);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** An object whose constructor has not run. */
  static <T> T withoutConstructor(Class<T> type) {
    try {
      return type.cast((Object) ALLOCATE_INSTANCE.invokeExact(type));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Copies a field's value from one object to another, also a final one. */
  static void copyField(Field field, Object from, Object to) {
    long offset;
    try {
      offset = (long) FIELD_OFFSET.invokeExact(field);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    Class<?> type = field.getType();
    if (!type.isPrimitive()) {
      Platform.putObjectVolatile(to, offset, Platform.getObjectVolatile(from, offset));
    } else if (type == boolean.class || type == byte.class) {
      Platform.putByte(to, offset, Platform.getByte(from, offset));
    } else if (type == long.class || type == double.class) {
      Platform.putLong(to, offset, Platform.getLong(from, offset));
    } else if (type == int.class || type == float.class) {
      Platform.putInt(to, offset, Platform.getInt(from, offset));
    } else {
      Platform.putShort(to, offset, Platform.getShort(from, offset));
    }
  }

  static int bigEndian(int value) {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }
}
