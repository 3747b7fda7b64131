internal import CLinux
import Glibc

/// Reports files that are created or deleted in one folder, and files whose attributes, such as permissions, change.
package struct DirectoryWatch: ~Copyable {
  /// One change; names are relative to the folder.
  package enum Event: Hashable, Sendable {
    case created(String)
    case deleted(String)
    case attributesChanged(String)
    /// The kernel's queue overflowed and events were lost: the whole folder must be scanned.
    case overflowed
    /// The folder itself was removed or moved, and this watch has ended.
    case folderGone
  }

  private let inotify: Inotify

  /// Starts to watch the folder at `path`.
  package init(path: String) throws(SystemError) {
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    inotify = try Inotify(path: path, mask: UInt32(mask))
  }

  /// Readable when there is something to drain.
  package var descriptor: Int32 { inotify.descriptor }

  /// The changes since the last call. The number per call is limited: the descriptor stays readable if there are more,
  /// which the next call returns.
  package func drain() -> [Event] { inotify.next().compactMap(Self.event) }

  private static func event(_ record: Inotify.Record) -> Event? {
    func has(_ flags: Int...) -> Bool { flags.contains { record.mask & UInt32($0) != 0 } }
    if has(Int(IN_Q_OVERFLOW)) { return .overflowed }
    if has(Int(IN_DELETE_SELF), Int(IN_MOVE_SELF), Int(IN_UNMOUNT)) { return .folderGone }
    // Events without a name are about the folder itself, for example a change of its permissions.
    guard !record.name.isEmpty else { return nil }
    if has(Int(IN_CREATE), Int(IN_MOVED_TO)) { return .created(record.name) }
    if has(Int(IN_DELETE), Int(IN_MOVED_FROM)) { return .deleted(record.name) }
    return has(Int(IN_ATTRIB)) ? .attributesChanged(record.name) : nil
  }
}

/// Operations on a file by its path.
package enum FileChange {
  /// Removes the file; a missing file is no error.
  package static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("unlink") { unsafe unlink(path) }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// Renames the file within its file system, replacing any file that has the new name.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    try SystemCall.run("rename") { unsafe Glibc.rename(path, other) }
  }

  /// Truncates the file to `length` bytes.
  package static func cut(_ path: String, to length: Int) throws(SystemError) {
    try SystemCall.run("truncate") { unsafe truncate(path, length) }
  }

  /// Creates the file if it does not exist, empty and with access for its owner only.
  package static func makePrivate(_ path: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    _ = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags, 0o600) })
  }
}

/// The kernel's file change events, decoded (inotify(7)).
struct Inotify: ~Copyable {
  struct Record: Hashable {
    let mask: UInt32
    /// The file's name within the watched folder; empty for an event about the watched object itself.
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

  /// The pending events, a few hundred at most; if there are more, the descriptor stays readable.
  func next() -> [Record] {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    guard case .bytes(let count) = Transfer.read(owned.rawValue, into: &buffer) else { return [] }
    return Self.records(in: buffer[..<count])
  }

  /// struct inotify_event: wd, mask, cookie, len (32 bits each, in host byte order), then `len` bytes of name and zeros.
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
