package numaspark.adaptive;

import java.util.ArrayList;
import java.util.List;
import numaspark.adaptive.StageTraits.Rdd;
import org.apache.spark.rdd.RDDOperationScope;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.collection.Iterable;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;

/**
 * Reads a {@link StageInfo}. Its lists are {@code scala.collection.Seq} in Scala 2.12 and {@code
 * scala.collection.immutable.Seq} in 2.13, so their methods are called by name.
 */
final class StageInfos {
  private static final Logger LOG = LoggerFactory.getLogger(StageInfos.class);

  private StageInfos() {}

  static StageTraits traits(StageInfo stage) {
    return StageTraits.of(
        stage.name(),
        stage.details(),
        stage.shuffleDepId().isEmpty(),
        stage.numTasks(),
        rdds(stage));
  }

  /** Whether the stage reads what other stages wrote to a shuffle. */
  static boolean hasParents(StageInfo stage) {
    return list(stage, "parentIds").nonEmpty();
  }

  private static List<Rdd> rdds(StageInfo stage) {
    List<Rdd> rdds = new ArrayList<>();
    Iterator<?> each = list(stage, "rddInfos").iterator();
    while (each.hasNext()) {
      RDDInfo info = (RDDInfo) each.next();
      Option<RDDOperationScope> scope = info.scope();
      rdds.add(new Rdd(info.name(), scope.isDefined() ? scope.get().name() : "", info.callSite()));
    }
    return rdds;
  }

  private static Iterable<?> list(StageInfo stage, String method) {
    try {
      return (Iterable<?>) StageInfo.class.getMethod(method).invoke(stage);
    } catch (ReflectiveOperationException | ClassCastException e) {
      LOG.warn("This Spark does not report {} of a stage: {}", method, e.toString());
      return Nil$.MODULE$;
    }
  }
}
