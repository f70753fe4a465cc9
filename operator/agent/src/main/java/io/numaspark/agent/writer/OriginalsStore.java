package io.numaspark.agent.writer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Keeps {@link Originals} in a file of the host, which has at any moment either the old text or the
 * new one.
 *
 * <p>Limit: for one writer at a time, which {@link WriterMain} sees to with a lock. Not final, so
 * that tests can crash it at each step.
 */
class OriginalsStore {

  private static final String FILE = "originals.json";
  private static final String TEMPORARY = "originals.json.new";

  /** Three registers of each of 8192 CPUs take less. */
  private static final int MAX_BYTES = 3 * 1024 * 1024;

  private final Path directory;

  OriginalsStore(Path directory) {
    this.directory = directory;
  }

  /** The file, for messages. */
  final Path file() {
    return directory.resolve(FILE);
  }

  /** Where the next text is made. */
  final Path temporary() {
    return directory.resolve(TEMPORARY);
  }

  /**
   * Reads what is kept.
   *
   * @return null if nothing is kept
   * @throws IOException if there is something, but it cannot be read or understood
   */
  Originals load() throws IOException {
    try {
      if (!Files.readAttributes(file(), BasicFileAttributes.class).isRegularFile()) {
        throw new IOException("it is not a file");
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file())) {
      byte[] text = in.readNBytes(MAX_BYTES + 1);
      if (text.length > MAX_BYTES) {
        throw new IOException("it has more than " + MAX_BYTES + " bytes");
      }
      return OriginalsFormat.read(text);
    }
  }

  /**
   * Keeps originals; removes the file if there are none. When it returns, they outlast a crash of
   * the machine.
   *
   * @throws IOException if that cannot be said
   */
  final void save(Originals originals) throws IOException {
    if (originals.isEmpty()) {
      remove();
    } else {
      Files.createDirectories(directory);
      writeTemporary(OriginalsFormat.write(originals));
      replace();
    }
    syncDirectory();
  }

  void writeTemporary(byte[] text) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            temporary(),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
  }

  void replace() throws IOException {
    Files.move(
        temporary(), file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void remove() throws IOException {
    Files.deleteIfExists(file());
  }

  void syncDirectory() throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    // The rename is on disk only when the directory is.
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
