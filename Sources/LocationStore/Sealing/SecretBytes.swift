import CSodium

/// 32 bytes that nobody else is to have: between pages that nobody may touch, never swapped out nor part of a core dump as far
/// as the system grants that, and wiped when this value ends.
///
/// Safe: the memory lives as long as this value, which cannot be copied, is `count` bytes long, and is used by `Sodium` alone.
@safe struct SecretBytes: ~Copyable {
  static let count = 32

  let base: UnsafeMutablePointer<UInt8>

  /// All zeros.
  init() {
    precondition(Sodium.isReady, "the kernel gives no random numbers")
    guard let memory = unsafe sodium_malloc(Self.count) else { preconditionFailure("out of memory") }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: Self.count)
    unsafe sodium_memzero(base, Self.count)
  }

  /// Takes over what `bytes` says, and wipes it there.
  init(taking bytes: inout [UInt8]) {
    precondition(bytes.count == Self.count)
    self.init()
    for index in bytes.indices { unsafe base[index] = bytes[index] }
    Sodium.wipe(&bytes)
  }

  deinit { unsafe sodium_free(base) }

  /// A copy that nobody wipes: for who writes it down.
  var copy: [UInt8] { (0..<Self.count).map { unsafe base[$0] } }

  /// Wipes it now.
  func wipe() { unsafe sodium_memzero(base, Self.count) }
}
