package io.numaspark.sparkbench.app;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** Files of bare records, written by Hadoop's own committer as TeraSort's are. */
final class RecordFiles {

  private RecordFiles() {}

  static void write(JavaRDD<TerasortRecord> records, String folder) {
    writeBytes(records.map(TerasortRecord::bytes), folder);
  }

  static void writeBytes(JavaRDD<byte[]> records, String folder) {
    records
        .mapToPair(record -> new Tuple2<>(NullWritable.get(), new BytesWritable(record)))
        .saveAsNewAPIHadoopFile(
            folder, NullWritable.class, BytesWritable.class, Format.class, new Configuration());
  }

  /** Writes a value's bytes and nothing else. */
  public static final class Format extends FileOutputFormat<NullWritable, BytesWritable> {

    @Override
    public RecordWriter<NullWritable, BytesWritable> getRecordWriter(TaskAttemptContext task)
        throws IOException {
      Path file = getDefaultWorkFile(task, "");
      FSDataOutputStream out = file.getFileSystem(task.getConfiguration()).create(file, false);
      return new RecordWriter<>() {
        @Override
        public void write(NullWritable key, BytesWritable record) throws IOException {
          out.write(record.getBytes(), 0, record.getLength());
        }

        @Override
        public void close(TaskAttemptContext context) throws IOException {
          out.close();
        }
      };
    }
  }
}
