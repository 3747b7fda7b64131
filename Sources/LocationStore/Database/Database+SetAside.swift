import LinuxIO

/// Damaged files.
extension Database {
  /// The name that a damaged file in that place was given last; `nil`: none was.
  static func lastSetAside(_ path: String) throws(DatabaseError) -> String? {
    do throws(SystemError) {
      let names = try PrivateFolder.files(in: PrivateFolder.parent(of: path)).map(\.name)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let numbers = names.compactMap { file in
        file.hasPrefix("\(name).damaged-") ? Int(file.dropFirst("\(name).damaged-".utf8.count)) : nil
      }
      return numbers.max().map { "\(path).damaged-\($0)" }
    } catch {
      throw .system(error)
    }
  }

  /// Gives a file, and SQLite's side files, another name; that name.
  static func setAside(_ path: String) throws(DatabaseError) -> String {
    do throws(SystemError) {
      let folder = PrivateFolder.parent(of: path)
      let taken = Set(try PrivateFolder.files(in: folder).map { "\(folder)/\($0.name)" })
      var number = 1
      while taken.contains("\(path).damaged-\(number)") { number += 1 }
      let name = "\(path).damaged-\(number)"
      // The log holds the last changes, and must not be taken for the new file's.
      for ending in ["-wal", "-shm", ""] where taken.contains(path + ending) {
        try FileChange.rename(path + ending, to: name + ending)
      }
      return name
    } catch {
      throw .system(error)
    }
  }
}
