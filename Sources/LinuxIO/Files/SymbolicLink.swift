import Glibc

/// Symbolic links.
package enum SymbolicLink {
  /// The path that a link contains; `nil` if there is no link of that name.
  package static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
