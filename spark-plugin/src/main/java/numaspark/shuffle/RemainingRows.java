package numaspark.shuffle;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * What a map task has not written to pages: rows that are in the builder, then the one that did not
 * fit, then the rest.
 */
final class RemainingRows<K, V> extends AbstractIterator<Product2<K, V>> {
  private final RunBuilder builder;
  private final Iterator<Product2<K, V>> rest;
  private final UnsafeRow row;
  private Product2<K, V> between;
  private int at;
  private long offset;

  RemainingRows(RunBuilder builder, Product2<K, V> between, Iterator<Product2<K, V>> rest) {
    this.builder = builder;
    this.between = between;
    this.rest = rest;
    this.row = new UnsafeRow(builder.fields());
  }

  @Override
  public boolean hasNext() {
    return at < builder.count() || between != null || rest.hasNext();
  }

  @Override
  @SuppressWarnings("unchecked")
  public Product2<K, V> next() {
    if (at < builder.count()) {
      Integer partition = builder.rowAt(at, offset, row);
      at++;
      offset += row.getSizeInBytes();
      return (Product2<K, V>) (Object) new Tuple2<>(partition, row);
    }
    if (between != null) {
      Product2<K, V> one = between;
      between = null;
      return one;
    }
    return rest.next();
  }
}
