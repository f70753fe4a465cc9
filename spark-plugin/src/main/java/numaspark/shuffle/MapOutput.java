package numaspark.shuffle;

import java.util.List;

/**
 * What one map task left in pages.
 *
 * @param mapId Spark's id of the map output: the attempt id of the task
 * @param fields columns of a row; 0 when there is no row
 * @param overflow whether memory ran out, so that further rows of the same task are in Spark's own
 *     shuffle file
 */
record MapOutput(long mapId, int fields, boolean overflow, List<Run> runs) {}
