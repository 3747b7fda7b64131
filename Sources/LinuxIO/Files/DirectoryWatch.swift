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
