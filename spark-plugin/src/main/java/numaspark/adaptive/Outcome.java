package numaspark.adaptive;

import java.util.Locale;

/** Why a stage got its number of threads on an executor. */
enum Outcome {
  /** Measured: the best of the settings tried. */
  EXPLORED,
  /** Its tasks hardly wait, or move no bytes. */
  NOT_IO_BOUND,
  /** A stage of the same signature found it before. */
  LEARNT,
  /** Too few tasks to win back what exploring costs. */
  TOO_FEW_TASKS,
  /** The stage never filled the executor, so nothing can be compared. */
  NEVER_FILLED,
  /** Mode static: the stage reads or writes external storage. */
  STATIC,
  /** Mode static: the stage does not touch external storage. */
  NO_EXTERNAL_STORAGE,
  /** The driver did not answer in time. */
  NO_ANSWER;

  /** As it stands in names of metrics and in log lines. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
