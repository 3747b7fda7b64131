import Glibc

/// A folder of state files that grows no further than it may.
extension StateFile {
  /// What is looked at of a folder that somebody has filled.
  private static let maximumEntries = 4096

  /// Removes the file, where there is one.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Keeps the file at `path` and so many others of its folder at most, those that were written last, and removes the rest:
  /// also what was left of a file by a process that was killed while it wrote.
  package static func prune(around path: String, keeping count: Int) {
    let folder = PrivateFolder.parent(of: path)
    let kept = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let others = names(in: folder).filter { $0 != kept }
    guard others.count > count else { return }
    let byAge = others.compactMap { name -> (name: String, modified: timespec)? in
      guard let status = fileStatus("\(folder)/\(name)") else { return nil }
      return (name, status.st_mtim)
    }.sorted { ($0.modified.tv_sec, $0.modified.tv_nsec) > ($1.modified.tv_sec, $1.modified.tv_nsec) }
    for (name, _) in byAge.dropFirst(count) { remove("\(folder)/\(name)") }
  }

  /// Of the file itself, also where it is a link; `nil` for a folder and the like.
  private static func fileStatus(_ path: String) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
    return status
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < maximumEntries, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
