internal import Glibc
internal import LinuxIO

/// inotify on `/dev`: which nodes came, went or changed owner, where no udev tells.
struct NodeWatch: ~Copyable {
  /// One thing that happened to a name in the folder.
  enum Event: Hashable, Sendable {
    case created(String)
    case deleted(String)
    case attributesChanged(String)
    /// Events are lost, or the folder itself is gone.
    case overflow
  }

  private let descriptor: OwnedDescriptor

  var fileDescriptor: Int32 { descriptor.rawValue }

  init(folder: String) throws(SystemError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw SystemError(operation: "inotify_init1", errno: errno) }
    let owned = OwnedDescriptor(rawValue: number)
    let mask = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
    guard unsafe inotify_add_watch(number, folder, UInt32(mask)) >= 0 else {
      throw SystemError(operation: "inotify_add_watch \(folder)", errno: errno)
    }
    descriptor = owned
  }

  /// What waits, one buffer full at most; empty where nothing does. Never waits.
  func receive() -> [Event] {
    // struct inotify_event (inotify(7)): wd, mask, cookie, len: four 32-bit words in host order, then the name.
    var buffer = [UInt8](repeating: 0, count: 16384)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(fileDescriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return [] }
    let bytes = buffer[..<count]
    var events: [Event] = []
    var offset = 0
    while offset + 16 <= bytes.count {
      let mask = Self.word(bytes, at: offset + 4)
      let length = Int(Self.word(bytes, at: offset + 12))
      let end = offset + 16 + length
      guard end <= bytes.count else { break }
      let name = String(decoding: bytes[(offset + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
      if let event = Self.event(mask: mask, name: name) { events.append(event) }
      offset = end
    }
    return events
  }

  private static func event(mask: UInt32, name: String) -> Event? {
    if mask & UInt32(IN_Q_OVERFLOW | IN_IGNORED) != 0 { return .overflow }
    if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { return .created(name) }
    if mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 { return .deleted(name) }
    if mask & UInt32(IN_ATTRIB) != 0, !name.isEmpty { return .attributesChanged(name) }
    return nil
  }

  private static func word(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }
}
