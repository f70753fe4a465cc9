package numaspark.trial;

import java.io.Serializable;

/** How long tasks of one executor have waited since its start; the message to the driver. */
record DelayTime(String executor, long millis, long tasks) implements Serializable {}
