import Geodesy
import Glibc
import LinuxIO

/// Nonblocking access, with limits, to files below a root folder with untrusted content: loops, FIFOs, endless files.
///
/// The root is `""` on a real system; tests use the folder of their own tree.
package struct FileTree: Hashable, Sendable {
  package let root: String

  /// Maximum size of an attribute; longer ones are truncated. The longest attribute that is used has a few dozen bytes.
  static let maximumAttributeBytes = 4096
  /// Maximum number of entries read from one folder.
  static let maximumEntries = 4096

  package init(root: String = "") {
    // Canonical, so that resolved paths begin with it.
    self.root = root.isEmpty ? "" : Self.realPath(root) ?? root
  }

  /// The first bytes of a regular file; `nil` if there is none, or if it cannot be read.
  func bytes(of path: String, limit: Int = maximumAttributeBytes) -> [UInt8]? {
    // O_NONBLOCK: a FIFO with an attribute's name must not block this process.
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), limit - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  /// A short text attribute without the newline at its end.
  func text(of path: String, limit: Int = 256) -> String? {
    guard var bytes = bytes(of: path, limit: limit) else { return nil }
    while let last = bytes.last, last == 0x0A || last == 0 { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }

  /// When the file was last changed; `nil`: there is none.
  func modificationTime(of path: String) -> GNSSTime? {
    var status = stat()
    guard unsafe stat(root + path, &status) == 0 else { return nil }
    return GNSSTime(nanosecondsSince1970: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
  }

  /// Whether the path is a character device, or a link to one.
  func isCharacterDevice(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(root + path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  /// Major and minor number of a device node.
  package func deviceNumber(_ path: String) -> UInt64? { DeviceNumber(ofNodeAt: root + path)?.rawValue }

  /// The target of a symbolic link; `nil` if there is no link, or if the target is longer than any device's name.
  func linkTarget(_ path: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = unsafe readlink(root + path, base.assumingMemoryBound(to: CChar.self), buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// The path with links resolved; `nil` if it does not exist, contains a loop, or leads out of the root.
  func resolved(_ path: String) -> String? {
    guard let real = Self.realPath(root + path) else { return nil }
    guard !root.isEmpty else { return real }
    guard real.hasPrefix(root + "/") else { return nil }
    return String(real.dropFirst(root.count))
  }

  /// The names in a folder, without `.` and `..`; empty if there is no folder. Sorted, so that scans are reproducible.
  package func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(root + path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < Self.maximumEntries, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func realPath(_ path: String) -> String? { try? RealPath.of(path) }
}
