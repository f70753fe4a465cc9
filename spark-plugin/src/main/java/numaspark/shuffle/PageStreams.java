package numaspark.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import scala.Option;

/**
 * Tells Spark's shuffle reader how to read blocks with pages; encryption is not asked for, such a
 * shuffle is never in pages.
 */
final class PageStreams extends SerializerManager {

  PageStreams(SparkEnv env) {
    super(env.serializer(), env.conf(), Option.<byte[]>empty());
  }

  @Override
  public InputStream wrapStream(BlockId block, InputStream bytes) {
    try {
      return new PageStream(bytes, rest -> unwrap(block, rest));
    } catch (IOException e) {
      throw PageStreams.<RuntimeException>undeclared(e);
    }
  }

  private InputStream unwrap(BlockId block, InputStream rest) throws IOException {
    PushbackInputStream looked = new PushbackInputStream(rest, 1);
    int first = looked.read();
    if (first < 0) {
      return InputStream.nullInputStream();
    }
    looked.unread(first);
    return wrapForCompression(block, looked);
  }

  /**
   * Spark makes a failed fetch of an IOException, which its Scala method throws without declaring
   * it.
   */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E undeclared(Throwable e) throws E {
    throw (E) e;
  }
}
