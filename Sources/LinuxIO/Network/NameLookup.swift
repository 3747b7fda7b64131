internal import CLinux
import Glibc
import Synchronization

/// A host's addresses, looked up on a thread of its own, as the resolver waits for its servers.
package final class NameLookup: Sendable {
  private let found = Mutex<[NetworkAddress]>([])
  private let reading: OwnedReference
  private let writing: OwnedReference

  /// A descriptor that several may hold.
  private final class OwnedReference: Sendable {
    let descriptor: OwnedDescriptor
    init(_ rawValue: Int32) { descriptor = OwnedDescriptor(rawValue: rawValue) }
  }

  /// Begins to look up `host`.
  package init(host: String, port: UInt16) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run("pipe2") { unsafe pipe2(&ends, Int32(O_CLOEXEC | O_NONBLOCK)) }
    reading = OwnedReference(ends[0])
    writing = OwnedReference(ends[1])
    // It goes on alone: nobody waits for a resolver.
    _ = try WorkerThread(name: "name lookup") { [self] in run(host, port: port) }
  }

  /// Readable when the lookup is over.
  package var descriptor: Int32 { reading.descriptor.rawValue }

  /// What was found; empty where there is no such host, or the lookup is not over.
  package var addresses: [NetworkAddress] { found.withLock { $0 } }

  private func run(_ host: String, port: UInt16) {
    let addresses = unsafe NetworkAddress.resolve(host, port: port, flags: AI_NUMERICSERV | AI_ADDRCONFIG)
    found.withLock { $0 = addresses }
    var byte: UInt8 = 1
    _ = unsafe write(writing.descriptor.rawValue, &byte, 1)
  }
}
