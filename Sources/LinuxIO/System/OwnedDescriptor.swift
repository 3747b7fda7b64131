import Glibc

/// An open file descriptor that is closed when this value is destroyed.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The descriptor's number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes ownership of `rawValue`, which nothing else may close.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  // Not repeated on EINTR: Linux has already released the number, and another thread may be using it.
  deinit { _ = close(rawValue) }
}

/// The status of a file by path or descriptor.
package enum FileStatus {
  /// Whether there is a file, a folder or anything else at a path, and this user may see it.
  package static func exists(_ path: String) -> Bool { (try? of(path)) != nil }

  /// The user to whom a file or a process's folder in /proc belongs; `nil`: this user cannot see it.
  package static func owner(of path: String) -> UInt32? { (try? of(path))?.st_uid }

  /// The status of the file at `path`; links are followed.
  static func of(_ path: String) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("stat") { unsafe stat(path, &status) }
    return status
  }

  /// Whether only root and this user can have written the file at `path`: nobody else owns it or may write to it.
  package static func isOwn(_ path: String) -> Bool {
    guard let status = try? of(path) else { return false }
    return (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
  }

  /// Throws if there is no folder at `path`.
  package static func expectFolder(_ path: String) throws(SystemError) {
    guard try of(path).st_mode & S_IFMT == S_IFDIR else { throw SystemError(operation: "stat", errno: ENOTDIR) }
  }

  /// The status of an open descriptor.
  static func of(_ descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("fstat") { unsafe fstat(descriptor, &status) }
    return status
  }
}

/// Paths without symbolic links.
package enum RealPath {
  /// The path at which `path` leads to something that exists.
  package static func of(_ path: String) throws(SystemError) -> String {
    guard let raw = unsafe realpath(path, nil) else { throw SystemError(operation: "open", errno: errno) }
    defer { unsafe free(raw) }
    return unsafe String(cString: raw)
  }
}

/// Reads and writes on nonblocking descriptors.
enum Transfer {
  /// - Parameter hangUpIsEnd: whether the error of a terminal whose other side has closed, or of an unplugged device,
  ///   counts as end of file.
  static func read(_ descriptor: Int32, into buffer: inout [UInt8], hangUpIsEnd: Bool = false) -> ReadResult {
    guard !buffer.isEmpty else { return .wouldBlock }
    do throws(SystemError) {
      let count = try SystemCall.run("read") {
        unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      }
      return count == 0 ? .endOfFile : .bytes(count)
    } catch {
      switch error.errno {
      case EAGAIN: return .wouldBlock
      // A terminal whose other side has closed, or a device that was unplugged.
      case EIO, ENXIO, ENODEV: return hangUpIsEnd ? .endOfFile : .failed(error)
      default: return .failed(error)
      }
    }
  }

  /// Reads to the end, at most `maximumSize` bytes (`EFBIG`).
  static func readAll(_ descriptor: Int32, maximumSize: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(max(maximumSize, 0) &+ 1, 16 * 1024))
    while true {
      switch read(descriptor, into: &buffer) {
      case .bytes(let count):
        bytes += buffer[..<count]
        guard bytes.count <= maximumSize else { throw SystemError(operation: "read", errno: EFBIG) }
      case .endOfFile: return bytes
      case .wouldBlock: throw SystemError(operation: "read", errno: EAGAIN)
      case .failed(let error): throw error
      }
    }
  }

  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> WriteResult {
    unsafe put(bytes, "write") { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Writes everything to a regular file; a full disk is an error (`ENOSPC`).
  static func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      switch write(descriptor, rest) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wouldBlock: throw SystemError(operation: "write", errno: EAGAIN)
      case .failed(let error): throw error
      }
    }
  }

  /// The same for a socket: raises no SIGPIPE if the peer has closed, however the program handles that signal.
  static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> WriteResult {
    unsafe put(bytes, "send") { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private static func put(
    _ bytes: ArraySlice<UInt8>, _ operation: String, _ call: (UnsafeRawBufferPointer) -> Int
  ) -> WriteResult {
    guard !bytes.isEmpty else { return .written(0) }
    do throws(SystemError) {
      return .written(try SystemCall.run(operation) { unsafe bytes.withUnsafeBytes { unsafe call($0) } })
    } catch {
      return error.errno == EAGAIN ? .wouldBlock : .failed(error)
    }
  }
}

/// The result of a nonblocking read.
package enum ReadResult: Hashable, Sendable {
  /// This many bytes, at least one, are at the beginning of the buffer.
  case bytes(Int)
  case wouldBlock
  /// The peer has closed, or the device was unplugged.
  case endOfFile
  case failed(SystemError)
}

/// The result of a nonblocking write.
package enum WriteResult: Hashable, Sendable {
  /// This many of the bytes were written, possibly not all.
  case written(Int)
  case wouldBlock
  case failed(SystemError)
}
