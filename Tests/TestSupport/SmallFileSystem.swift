import Foundation

/// A separate file system in memory, which only root may mount.
package final class SmallFileSystem {
  package let path: String
  package static let isPossible = geteuid() == 0 && (try? SmallFileSystem(kilobytes: 64)) != nil

  package init(kilobytes: Int) throws {
    path = NSTemporaryDirectory() + "small-fs-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
      try? FileManager.default.removeItem(atPath: path)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// Makes the file system read-only, or writable again.
  package func makeReadOnly(_ isReadOnly: Bool = true) throws {
    let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
    guard unsafe mount("tmpfs", path, "tmpfs", flags, nil) == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  private var filler: String { "\(path)/filler" }

  /// Fills all the remaining space.
  package func fill() {
    let file = unsafe open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let page = [UInt8](repeating: 0x55, count: 4096)
    while unsafe write(file, page, page.count) > 0 {}
    close(file)
  }

  /// Frees that space.
  package func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }

  deinit {
    unsafe umount2(path, Int32(MNT_DETACH))
    try? FileManager.default.removeItem(atPath: path)
  }
}
