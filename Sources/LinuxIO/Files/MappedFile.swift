import Glibc

/// A regular file that is mapped into memory for reading. Pages that nobody reads take no memory, and processes share the others.
///
/// Only for files that are replaced by renaming and never changed: reading beyond the end of a file that has become shorter would end
/// the process. Safe, because the bytes are only lent to a closure.
@safe package final class MappedFile: Sendable {
  /// The address as a number, because a pointer is not `Sendable`.
  private let address: UInt
  package let count: Int

  /// Maps the file. `EFBIG`: it has more than `maximumSize` bytes.
  package init(path: String, maximumSize: Int) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    let descriptor = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe Glibc.open(path, flags) })
    let fd = descriptor.rawValue
    let status = try FileStatus.of(fd)
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "map", errno: EINVAL) }
    guard status.st_size <= maximumSize else { throw SystemError(operation: "map", errno: EFBIG) }
    count = Int(status.st_size)
    guard count > 0 else {
      address = 0
      return
    }
    let result = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, fd, 0)
    guard let result = unsafe result, unsafe result != MAP_FAILED else {
      throw SystemError(operation: "map", errno: errno)
    }
    // Look-ups read a few pages in no order: reading ahead would only fill memory.
    _ = unsafe madvise(result, count, MADV_RANDOM)
    address = UInt(bitPattern: result)
  }

  deinit {
    if count > 0 { _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), count) }
  }

  /// Lends the bytes to `body`.
  @inline(__always)
  package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    return try body(unsafe Span(_unsafeBytes: bytes))
  }
}
