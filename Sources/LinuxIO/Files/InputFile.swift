import Glibc

/// A regular file that is read from its beginning to its end.
package struct InputFile: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// Opens `path`. Anything but a regular file is rejected before it is opened: a FIFO or a device may never end.
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

  /// For a child process, which reads the file itself.
  var rawValue: Int32 { descriptor.rawValue }

  /// The size when it is asked for, bytes.
  package func size() throws(SystemError) -> Int { Int(try FileStatus.of(descriptor.rawValue).st_size) }

  /// The content of a file, a pipe or a device, of at most `maximumSize` bytes; blocks until the writer of a pipe has
  /// closed it.
  package static func content(of path: String, maximumSize: Int) throws(InputFileError) -> [UInt8] {
    do throws(SystemError) {
      let file = OwnedDescriptor(
        rawValue: try SystemCall.run("open") { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) })
      return try Transfer.readAll(file.rawValue, maximumSize: maximumSize)
    } catch {
      throw error.errno == ENOENT ? .doesNotExist : .system(error)
    }
  }

  /// Whether two paths lead to the same file; `false` if either cannot be examined.
  package static func isOne(_ path: String, _ other: String) -> Bool {
    guard let first = try? FileStatus.of(path), let second = try? FileStatus.of(other) else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Reads the next bytes into `buffer` and returns their count; zero at the end.
  package func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
    let fd = descriptor.rawValue
    return Int(
      try SystemCall.run("read") {
        Int32(clamping: unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(fd, $0.baseAddress, $0.count) })
      })
  }

  /// Reads the bytes from `offset` on into `buffer` and returns their count. The position of `read(into:)` does not change.
  package func read(into buffer: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
    let fd = descriptor.rawValue
    return Int(
      try SystemCall.run("pread") {
        Int32(
          clamping: unsafe buffer.withUnsafeMutableBytes { unsafe pread(fd, $0.baseAddress, $0.count, offset) })
      })
  }
}

/// Why a file cannot be read.
package enum InputFileError: Error, Hashable, Sendable {
  case doesNotExist
  case isNotARegularFile
  case system(SystemError)
}
