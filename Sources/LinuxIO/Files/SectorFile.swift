import Glibc

/// A new private file that is written in whole sectors of space allocated beforehand.
///
/// If the file system supports it, writes bypass the page cache (`O_DIRECT`): the disk then receives the 512 bytes that
/// were written, not the 4,096 around them. Space is allocated by writing zeros, because a block that is merely
/// reserved costs a journal entry when it is first written.
package struct SectorFile: ~Copyable {
  /// Writes begin and end at multiples of this, bytes.
  package static let sectorSize = 512
  private static let stepSize = 64 * 1024

  private let descriptor: OwnedDescriptor
  private var buffer: AlignedBuffer
  /// Whether writes bypass the page cache.
  package private(set) var isDirect: Bool
  /// Size of the file in bytes, all allocated in the file system.
  package private(set) var length = 0

  /// Creates the file; an existing one is an error (`EEXIST`).
  package init(making path: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let fd = try SystemCall.run("open") { unsafe open(path, flags, 0o600) }
    descriptor = OwnedDescriptor(rawValue: fd)
    buffer = AlignedBuffer(count: Self.stepSize)
    // Not a flag of `open`: if O_DIRECT is refused there, the file is created nevertheless (open(2)).
    isDirect = Self.setDirect(descriptor.rawValue, true)
  }

  /// Extends the file by zeros to `newLength` and waits for the disk; on failure the old length is restored.
  package mutating func extend(to newLength: Int) throws(SystemError) {
    let oldLength = length
    let fd = descriptor.rawValue
    do throws(SystemError) {
      do throws(SystemError) {
        try SystemCall.run("fallocate") { fallocate(fd, 0, oldLength, newLength - oldLength) }
      } catch {
        guard error.errno == EOPNOTSUPP || error.errno == ENOSYS else { throw error }
      }
      buffer.clear(Self.stepSize)
      var offset = oldLength
      while offset < newLength {
        offset += try writeBuffer(min(Self.stepSize, newLength - offset), at: offset)
      }
      try SystemCall.run("fsync") { fsync(fd) }
      length = newLength
    } catch {
      _ = ftruncate(fd, oldLength)
      throw error
    }
  }

  /// Writes whole sectors within the file's length.
  package mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    precondition(offset % Self.sectorSize == 0 && bytes.count % Self.sectorSize == 0 && offset + bytes.count <= length)
    var done = 0
    while done < bytes.count {
      let step = min(Self.stepSize, bytes.count - done)
      buffer.fill(bytes.extracting(done..<done + step))
      let written = try writeBuffer(step, at: offset + done)
      // A short write that ends within a sector is repeated from that sector's beginning.
      done += written == step ? step : written / Self.sectorSize * Self.sectorSize
    }
  }

  /// Waits until the written data is on disk.
  package func synchronize() throws(SystemError) {
    let fd = descriptor.rawValue
    try SystemCall.run("fdatasync") { fdatasync(fd) }
  }

  /// Whether the file still has a name; without one it is deleted when it is closed.
  package var isNamed: Bool {
    var status = stat()
    return unsafe fstat(descriptor.rawValue, &status) == 0 && status.st_nlink > 0
  }

  /// Truncates the file to `newLength` and waits until the whole file is on disk.
  package mutating func cut(to newLength: Int) throws(SystemError) {
    let fd = descriptor.rawValue
    try SystemCall.run("ftruncate") { ftruncate(fd, newLength) }
    length = newLength
    try SystemCall.run("fsync") { fsync(fd) }
  }

  /// Writes the first `size` bytes of the buffer; returns how many were written, at least one.
  private mutating func writeBuffer(_ size: Int, at offset: Int) throws(SystemError) -> Int {
    let fd = descriptor.rawValue
    func attempt() throws(SystemError) -> Int {
      let count = try SystemCall.run("pwrite") { buffer.write(size, to: fd, at: offset) }
      guard count > 0 else { throw SystemError(operation: "pwrite", errno: ENOSPC) }
      return count
    }
    do throws(SystemError) {
      return try attempt()
    } catch {
      // The disk's sectors are larger than `sectorSize`.
      guard error.errno == EINVAL, isDirect, Self.setDirect(fd, false) else { throw error }
      isDirect = false
      return try attempt()
    }
  }

  private static func setDirect(_ fd: Int32, _ isDirect: Bool) -> Bool {
    let flags = fcntl(fd, F_GETFL)
    return flags >= 0 && fcntl(fd, F_SETFL, isDirect ? flags | O_DIRECT : flags & ~O_DIRECT) == 0
  }
}

/// Memory at an address that direct I/O accepts.
///
/// Safe: the memory lives as long as this value, which cannot be copied, and every access is bounds-checked.
@safe struct AlignedBuffer: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer

  /// `count` zero bytes, page-aligned.
  init(count: Int) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  var count: Int { unsafe memory.count }

  /// Copies `bytes` to the beginning.
  mutating func fill(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= count)
    for index in bytes.indices { unsafe memory[index] = bytes[index] }
  }

  /// Zeroes the first `size` bytes.
  mutating func clear(_ size: Int) {
    precondition(size <= count)
    for index in 0..<size { unsafe memory[index] = 0 }
  }

  /// Writes the first `size` bytes at `offset` of a file; returns the result of pwrite(2).
  func write(_ size: Int, to descriptor: Int32, at offset: Int) -> Int {
    precondition(size <= count)
    return unsafe pwrite(descriptor, memory.baseAddress, size, offset)
  }
}
