import Glibc

/// A regular file that is read from its beginning to its end.
package struct InputFile: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// Opens `path`. Whatever is no regular file is refused before it is opened for good: a FIFO would block, a device may
  /// never end.
  package init(path: String) throws(InputFileError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw errno == ENOENT ? .doesNotExist : .system(SystemError(operation: "open", errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNotARegularFile }
    do throws(SystemError) {
      descriptor = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe Glibc.open(path, flags) })
    } catch {
      throw .system(error)
    }
  }

  /// Whether `path` leads to this very file.
  package func isFile(at path: String) -> Bool {
    var other = stat()
    guard let own = try? FileStatus.of(descriptor.rawValue), unsafe stat(path, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Reads the next bytes into `buffer`; their count, zero at the end.
  package func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
    let fd = descriptor.rawValue
    return Int(
      try SystemCall.run("read") {
        Int32(clamping: unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(fd, $0.baseAddress, $0.count) })
      })
  }
}

/// Why a file cannot be read.
package enum InputFileError: Error, Hashable, Sendable {
  case doesNotExist
  case isNotARegularFile
  case system(SystemError)
}
