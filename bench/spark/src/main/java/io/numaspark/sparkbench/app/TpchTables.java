package io.numaspark.sparkbench.app;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Date;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Writes the eight tables of TPC-H as Parquet. Money and quantities are decimals, as in the
 * specification, so sums are exact.
 *
 * @param scale factor; 1 is about 1 GB of text
 */
record TpchTables(double scale) implements Query {

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    for (TpchTable<?> table : TpchTable.getTables()) {
      write(spark, table, arguments.get("output"));
    }
    return List.of();
  }

  private <E extends TpchEntity> void write(SparkSession spark, TpchTable<E> table, String folder) {
    boolean large =
        List.of("lineitem", "orders", "partsupp", "customer", "part")
            .contains(table.getTableName());
    int parts = large ? 8 : 1;
    String name = table.getTableName();
    double factor = scale;
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaRDD<Row> rows =
        context
            .parallelize(IntStream.rangeClosed(1, parts).boxed().toList(), parts)
            .flatMap(part -> new Rows<>(name, factor, part, parts));
    spark.createDataFrame(rows, schema(table)).write().parquet(folder + "/" + name);
  }

  private static <E extends TpchEntity> StructType schema(TpchTable<E> table) {
    return new StructType(
        table.getColumns().stream()
            .map(column -> DataTypes.createStructField(column.getColumnName(), type(column), false))
            .toArray(StructField[]::new));
  }

  private static DataType type(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case IDENTIFIER -> DataTypes.LongType;
      case INTEGER -> DataTypes.IntegerType;
      case DATE -> DataTypes.DateType;
      case DOUBLE -> DataTypes.createDecimalType(12, 2);
      case VARCHAR -> DataTypes.StringType;
    };
  }

  /** The rows of one part of a table. */
  private static final class Rows<E extends TpchEntity> implements Iterator<Row>, Serializable {

    private final transient List<TpchColumn<E>> columns;
    private final transient Iterator<E> entities;

    @SuppressWarnings("unchecked") // a table's name belongs to its own entity
    Rows(String table, double scale, int part, int parts) {
      TpchTable<E> generated = (TpchTable<E>) TpchTable.getTable(table);
      columns = generated.getColumns();
      entities = generated.createGenerator(scale, part, parts).iterator();
    }

    @Override
    public boolean hasNext() {
      return entities.hasNext();
    }

    @Override
    public Row next() {
      E entity = entities.next();
      return RowFactory.create(columns.stream().map(column -> value(column, entity)).toArray());
    }

    private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
      return switch (column.getType().getBase()) {
        case IDENTIFIER -> column.getIdentifier(entity);
        case INTEGER -> column.getInteger(entity);
        case DATE -> Date.valueOf(LocalDate.ofEpochDay(column.getDate(entity)));
        case DOUBLE -> BigDecimal.valueOf(Math.round(column.getDouble(entity) * 100), 2);
        case VARCHAR -> column.getString(entity);
      };
    }
  }
}
