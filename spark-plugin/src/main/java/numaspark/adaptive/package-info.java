/**
 * Self-adaptive executors: how many tasks of a stage one executor lets run at once.
 *
 * <p>After Omranian Khorasani, Rellermeier and Epema, "Self-adaptive Executors for Big Data
 * Processing", Middleware 2019 (doi 10.1145/3361525.3361545). The MAPE-K parts are classes of their
 * own: {@link numaspark.adaptive.Interval} monitors, {@link numaspark.adaptive.Climb} analyses and
 * plans, {@link numaspark.adaptive.Gate} executes, {@link numaspark.adaptive.Knowledge} remembers.
 */
package numaspark.adaptive;
