import Glibc

/// Memory at an address that direct transfers accept.
///
/// Safe: the memory lives as long as this value, which cannot be copied, and every access is checked against its size.
@safe struct AlignedBuffer: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer

  /// `count` bytes, all zero, at a multiple of a page.
  init(count: Int) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  var count: Int { unsafe memory.count }

  /// Puts `bytes` at the beginning.
  mutating func fill(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= count)
    for index in bytes.indices { unsafe memory[index] = bytes[index] }
  }

  /// Zeroes the first `size` bytes.
  mutating func clear(_ size: Int) {
    precondition(size <= count)
    for index in 0..<size { unsafe memory[index] = 0 }
  }

  /// Writes the first `size` bytes at `offset` of a file; as pwrite(2) returns it.
  func write(_ size: Int, to descriptor: Int32, at offset: Int) -> Int {
    precondition(size <= count)
    return unsafe pwrite(descriptor, memory.baseAddress, size, offset)
  }
}
