internal import CLinux
import Glibc

/// Tells what appears, disappears and changes its permissions in one folder.
package struct DirectoryWatch: ~Copyable {
  /// One change; names are those within the folder.
  package enum Event: Hashable, Sendable {
    case created(String)
    case deleted(String)
    case attributesChanged(String)
    /// Reports were lost: look at the whole folder.
    case overflowed
    /// The folder itself is gone, and with it this watch.
    case folderGone
  }

  private let inotify: Inotify

  /// Watches the folder at `path`, from now on.
  package init(path: String) throws(SystemError) {
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    inotify = try Inotify(path: path, mask: UInt32(mask))
  }

  /// Readable when there is something to drain.
  package var descriptor: Int32 { inotify.descriptor }

  /// What has changed since the last call. Bounded: what is more comes with the next call, the descriptor being readable.
  package func drain() -> [Event] { inotify.next().compactMap(Self.event) }

  private static func event(_ record: Inotify.Record) -> Event? {
    func has(_ flags: Int...) -> Bool { flags.contains { record.mask & UInt32($0) != 0 } }
    if has(Int(IN_Q_OVERFLOW)) { return .overflowed }
    if has(Int(IN_DELETE_SELF), Int(IN_MOVE_SELF), Int(IN_UNMOUNT)) { return .folderGone }
    // Reports without a name are about the folder itself, as when someone changes its permissions.
    guard !record.name.isEmpty else { return nil }
    if has(Int(IN_CREATE), Int(IN_MOVED_TO)) { return .created(record.name) }
    if has(Int(IN_DELETE), Int(IN_MOVED_FROM)) { return .deleted(record.name) }
    return has(Int(IN_ATTRIB)) ? .attributesChanged(record.name) : nil
  }
}

/// What is done to a file by its name.
package enum FileChange {
  /// Removes it; one that is not there is gone already.
  package static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("unlink") { unsafe unlink(path) }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// Gives it another name in the same file system; what had that name is gone.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    try SystemCall.run("rename") { unsafe Glibc.rename(path, other) }
  }

  /// Cuts it to `length` bytes.
  package static func cut(_ path: String, to length: Int) throws(SystemError) {
    try SystemCall.run("truncate") { unsafe truncate(path, length) }
  }

  /// Makes it, empty and for its owner only, where it is not there.
  package static func makePrivate(_ path: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    _ = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags, 0o600) })
  }
}

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
