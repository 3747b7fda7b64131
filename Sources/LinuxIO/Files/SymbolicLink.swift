import Glibc

/// Symbolic links.
package enum SymbolicLink {
  /// Makes `path` a link to `target`: at every moment there is the old file or the new link.
  package static func replace(_ path: String, with target: String) throws(SystemError) {
    let new = "\(path).\(getpid()).new"
    _ = unsafe unlink(new)
    try SystemCall.run("symlink") { unsafe symlink(target, new) }
    do throws(SystemError) {
      try SystemCall.run("rename") { unsafe Glibc.rename(new, path) }
    } catch {
      _ = unsafe unlink(new)
      throw error
    }
  }

  /// The path that a link contains; `nil` if there is no link of that name.
  package static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
