import LinuxIO

/// A copy, in memory, of a database whose latest changes are in SQLite's write-ahead log (`-wal`) and cannot be merged
/// into the file because its file system is read-only or full. The names of the copy are removed as soon as SQLite has
/// opened it.
struct ReadableCopy: ~Copyable {
  /// Maximum size of a database that is copied, bytes.
  private static let maximumSize = 64 << 20
  /// Folders in memory; only the last may be on a disk.
  private static let places = ["/dev/shm", "/run", "/tmp"]

  private static let name = "copy.sqlite"

  let path: String
  private let folder: String

  /// Whether a database's write-ahead log contains data.
  static func hasLog(_ path: String) -> Bool {
    if case .file(let size) = try? PrivateFolder.entry(path + "-wal") { size > 0 } else { false }
  }

  init(of original: String) throws(DatabaseError) {
    let made: String
    do throws(SystemError) {
      made = try Self.copy(original)
    } catch {
      throw .system(error)
    }
    (folder, path) = (made, "\(made)/\(Self.name)")
  }

  /// Copies the database; returns the folder of the copy.
  private static func copy(_ original: String) throws(SystemError) -> String {
    guard let bytes = try StateFile.read(original, maximumSize: maximumSize) else {
      throw SystemError(operation: "open", errno: SystemError.noSuchThing)
    }
    let log = try StateFile.read(original + "-wal", maximumSize: maximumSize) ?? []
    let folder = try makeFolder()
    do throws(SystemError) {
      try StateFile.write("\(folder)/\(name)", bytes, waitsForDisk: false)
      try StateFile.write("\(folder)/\(name)-wal", log, waitsForDisk: false)
    } catch {
      remove(folder)
      throw error
    }
    return folder
  }

  private static func makeFolder() throws(SystemError) -> String {
    var failure = SystemError(operation: "mkdtemp", errno: SystemError.noSuchThing)
    for place in places {
      do throws(SystemError) { return try PrivateFolder.makeTemporary(in: place) } catch { failure = error }
    }
    throw failure
  }

  private static func remove(_ folder: String) {
    for ending in ["", "-wal", "-shm"] { StateFile.remove("\(folder)/\(name)\(ending)") }
    PrivateFolder.removeEmpty(folder)
  }

  deinit { Self.remove(folder) }
}
