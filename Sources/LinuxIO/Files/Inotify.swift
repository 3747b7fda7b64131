internal import CLinux
import Glibc

/// File change reports of the kernel, decoded (inotify(7)).
struct Inotify: ~Copyable {
  struct Record: Hashable {
    let mask: UInt32
    /// The file's name within the watched folder; empty where the report is about what is watched itself.
    let name: String
  }

  private let owned: OwnedDescriptor

  var descriptor: Int32 { owned.rawValue }

  init(path: String, mask: UInt32) throws(SystemError) {
    let flags = Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("inotify_init1") { inotify_init1(flags) })
    let fd = owned.rawValue
    try SystemCall.run("inotify_add_watch") { unsafe inotify_add_watch(fd, path, mask) }
    self.owned = owned
  }

  /// What has been reported, some hundreds of records at most; the rest keeps the descriptor readable.
  func next() -> [Record] {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    guard case .bytes(let count) = Transfer.read(owned.rawValue, into: &buffer) else { return [] }
    return Self.records(in: buffer[..<count])
  }

  /// struct inotify_event: wd, mask, cookie, len (32 bits each, this machine's order), then `len` bytes of name and zeros.
  static func records(in bytes: ArraySlice<UInt8>) -> [Record] {
    var records: [Record] = []
    var rest = bytes
    while rest.count >= 16 {
      let mask = word(rest, at: 4)
      let length = Int(word(rest, at: 12))
      guard length <= rest.count - 16 else { break }
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      records.append(Record(mask: mask, name: String(decoding: name, as: UTF8.self)))
      rest = rest.dropFirst(16 + length)
    }
    return records
  }

  private static func word(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}
