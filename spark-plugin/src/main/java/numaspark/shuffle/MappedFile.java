package numaspark.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A page file as a reader sees it: mapped once, and again only when it has grown.
 *
 * <p>Maps committed runs alone, so that no mapping ends inside of a run and none covers bytes that
 * a failed task takes back.
 */
final class MappedFile {
  private record Region(long start, long end, ByteBuffer bytes) {}

  private final Path path;
  private final List<Region> regions = new ArrayList<>();
  private long mapped;

  MappedFile(Path path) {
    this.path = path;
  }

  /**
   * Where a run is in this process's memory.
   *
   * @param committed end of the last run of this file that is known to be committed, at least the
   *     run's own end
   */
  synchronized long address(Run run, long committed) throws IOException {
    if (committed - mapped > Integer.MAX_VALUE) {
      throw new IOException(path + " is longer than any page file: " + committed + " bytes");
    }
    if (run.end() > mapped) {
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        if (channel.size() < committed) {
          throw new IOException(path + " is shorter than its catalog says: " + channel.size());
        }
        ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, mapped, committed - mapped);
        regions.add(new Region(mapped, committed, bytes));
        mapped = committed;
      }
    }
    for (int i = regions.size() - 1; i >= 0; i--) {
      Region region = regions.get(i);
      if (region.start() <= run.offset() && run.end() <= region.end()) {
        return Memory.address(region.bytes()) + (run.offset() - region.start());
      }
    }
    throw new IOException(path + ": no mapping of " + run);
  }

  Path path() {
    return path;
  }

  synchronized void unmap() {
    regions.forEach(region -> Memory.free(region.bytes()));
    regions.clear();
    mapped = Long.MAX_VALUE; // whoever comes now finds no region and is refused
  }
}
