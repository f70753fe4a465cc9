package numaspark.facts;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction0;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * The page "NUMA" of the Spark UI, for Spark 4 and Scala 2.13; nothing else may load this class.
 */
final class NumaTab extends SparkUITab {

  private NumaTab(SparkUI ui) {
    super(ui, "numa");
  }

  static void attach(SparkUI ui, FactsBoard board) {
    NumaTab tab = new NumaTab(ui);
    tab.attachPage(new Page(tab, board));
    ui.attachTab(tab);
  }

  @Override
  public String name() {
    return "NUMA";
  }

  private static final class Page extends WebUIPage {
    private final SparkUITab tab;
    private final FactsBoard board;

    Page(SparkUITab tab, FactsBoard board) {
      super("");
      this.tab = tab;
      this.board = board;
    }

    @Override
    public Seq<Node> render(HttpServletRequest request) {
      Unparsed content = new Unparsed(FactsTable.html(board.executors()));
      Function0<Seq<Node>> later =
          new AbstractFunction0<>() {
            @Override
            public Seq<Node> apply() {
              return content;
            }
          };
      try {
        return inSparksFrame(request, later);
      } catch (ReflectiveOperationException e) {
        return content;
      }
    }

    /** Spark 4.3 has one flag more than 4.2 at the end; what it has there is left as usual. */
    @SuppressWarnings("unchecked")
    private Seq<Node> inSparksFrame(HttpServletRequest request, Function0<Seq<Node>> content)
        throws ReflectiveOperationException {
      Method frame =
          Arrays.stream(UIUtils$.class.getMethods())
              .filter(method -> method.getName().equals("headerSparkPage"))
              .findFirst()
              .orElseThrow(NoSuchMethodException::new);
      Object[] arguments = new Object[frame.getParameterCount()];
      arguments[0] = request;
      arguments[1] = "Executors and NUMA nodes";
      arguments[2] = content;
      arguments[3] = tab;
      for (int i = 4; i < arguments.length; i++) {
        Method usual = UIUtils$.class.getMethod("headerSparkPage$default$" + (i + 1));
        arguments[i] = usual.invoke(UIUtils$.MODULE$);
      }
      return (Seq<Node>) frame.invoke(UIUtils$.MODULE$, arguments);
    }
  }
}
