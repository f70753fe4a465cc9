/**
 * The control of a trial: tasks that are slower on purpose, by a known share of their run time.
 *
 * <p>A trial compares variants of an application. If the delayed variant does not look slower, the
 * trial is blind to differences of that size, and its other answers mean nothing.
 */
package numaspark.trial;
