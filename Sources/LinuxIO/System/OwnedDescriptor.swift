import Glibc

/// An open file descriptor that closes when its owner goes.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The descriptor's number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes over `rawValue`, which nothing else may close.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  // Not repeated on EINTR: Linux has released the number by then, and another thread may have it already.
  deinit { _ = close(rawValue) }
}

/// What stands at a path or behind a descriptor.
package enum FileStatus {
  /// At `path`, behind any links.
  static func of(_ path: String) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("stat") { unsafe stat(path, &status) }
    return status
  }

  /// Fails where there is no folder at `path`.
  package static func expectFolder(_ path: String) throws(SystemError) {
    guard try of(path).st_mode & S_IFMT == S_IFDIR else { throw SystemError(operation: "stat", errno: ENOTDIR) }
  }

  /// Behind an open descriptor.
  static func of(_ descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    try SystemCall.run("fstat") { unsafe fstat(descriptor, &status) }
    return status
  }
}

/// Reads and writes on descriptors that do not wait.
enum Transfer {
  /// `hangUpIsEnd`: what a terminal reports when its other side is gone is its end, not an error.
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
      // A terminal whose other side is gone, and a device that was unplugged.
      case EIO, ENXIO, ENODEV: return hangUpIsEnd ? .endOfFile : .failed(error)
      default: return .failed(error)
      }
    }
  }

  /// All that there is to its end, at most `maximumSize` bytes (`EFBIG`).
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

  /// The same to a socket: whose other side has gone raises no SIGPIPE, whatever the program makes of that.
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

/// What came of a read that does not wait.
package enum ReadResult: Hashable, Sendable {
  /// So many bytes stand at the buffer's beginning; at least one.
  case bytes(Int)
  case wouldBlock
  /// The other side has closed, or the device was unplugged.
  case endOfFile
  case failed(SystemError)
}

/// What came of a write that does not wait.
package enum WriteResult: Hashable, Sendable {
  /// So many of the bytes were taken, perhaps not all.
  case written(Int)
  case wouldBlock
  case failed(SystemError)
}
