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
    let work = Work(lookup: self, host: host, port: port)
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    guard failure == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw SystemError(operation: "pthread_create", errno: failure)
    }
  }

  /// Readable when the lookup is over.
  package var descriptor: Int32 { reading.descriptor.rawValue }

  /// What was found; empty where there is no such host, or the lookup is not over.
  package var addresses: [NetworkAddress] { found.withLock { $0 } }

  private final class Work: Sendable {
    let lookup: NameLookup
    let host: String
    let port: UInt16

    init(lookup: NameLookup, host: String, port: UInt16) {
      self.lookup = lookup
      self.host = host
      self.port = port
    }

    func run() {
      let addresses = unsafe NetworkAddress.resolve(host, port: port, flags: AI_NUMERICSERV | AI_ADDRCONFIG)
      lookup.found.withLock { $0 = addresses }
      var byte: UInt8 = 1
      _ = unsafe write(lookup.writing.descriptor.rawValue, &byte, 1)
    }
  }
}
