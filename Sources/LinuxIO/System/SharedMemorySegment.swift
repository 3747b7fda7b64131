internal import CLinux
import Glibc
import Synchronization

/// A segment of System V shared memory, which other processes read while it is written. Safe, because every access checks its bounds.
@safe package struct SharedMemorySegment: ~Copyable {
  private let address: UnsafeMutableRawPointer
  private let size: Int

  /// Attaches the segment, which is created with `mode` if it does not exist. `EPERM`: it belongs to another user, who could write
  /// anything into it.
  package init(key: Int32, size: Int, mode: Int32) throws(SystemError) {
    var owner: UInt32 = 0
    guard let address = unsafe clinux_shared_memory_attach(key, Int32(clamping: size), mode, &owner) else {
      throw SystemError(operation: "attach shared memory", errno: errno)
    }
    guard owner == geteuid() else {
      _ = unsafe clinux_shared_memory_detach(address)
      throw SystemError(operation: "attach shared memory", errno: EPERM)
    }
    unsafe self.address = address
    self.size = size
  }

  deinit { _ = unsafe clinux_shared_memory_detach(address) }

  /// An integer at an offset that is a multiple of 4.
  package func integer(at offset: Int) -> Int32 {
    precondition(offset >= 0 && offset + 4 <= size)
    return unsafe address.load(fromByteOffset: offset, as: Int32.self)
  }

  /// Stores an integer; other processes see everything that was stored before it at the latest with it.
  package func store(_ value: Int32, at offset: Int) {
    precondition(offset >= 0 && offset + 4 <= size)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    unsafe address.storeBytes(of: value, toByteOffset: offset, as: Int32.self)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Stores bytes from an offset on.
  package func store(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    precondition(offset >= 0 && offset + bytes.count <= size)
    for (index, byte) in bytes.enumerated() {
      unsafe address.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
    }
  }
}
