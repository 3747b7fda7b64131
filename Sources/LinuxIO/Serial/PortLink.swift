import Glibc

/// A symbolic link to a pseudo-terminal, which is removed with this value.
package struct PortLink: ~Copyable {
  package let path: String
  private let target: String
  private static let folder = "/dev/pts/"

  /// Creates the link. A link to a pseudo-terminal that a killed process has left is replaced; anything else of that name is an error
  /// (`EEXIST`).
  package init(path: String, target: String) throws(SystemError) {
    if let old = Self.target(of: path), old.hasPrefix(Self.folder) { _ = unsafe unlink(path) }
    try SystemCall.run("symlink") { unsafe symlink(target, path) }
    (self.path, self.target) = (path, target)
  }

  deinit {
    // Another process may have replaced it.
    if Self.target(of: path) == target { _ = unsafe unlink(path) }
  }

  /// Where a link leads; `nil`: there is none.
  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
