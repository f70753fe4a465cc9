import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the module options that Spark's own launcher gives to a driver, one word a line. */
public final class ModuleOptions {
  private ModuleOptions() {}

  public static void main(String[] args) {
    for (String option : JavaModuleOptions.defaultModuleOptions().split(" +")) {
      System.out.println(option);
    }
  }
}
