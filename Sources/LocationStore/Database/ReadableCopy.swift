import LinuxIO

/// A copy, in memory, of a database whose last changes stand in SQLite's log (`-wal`) and cannot be brought into the file: its file
/// system is read-only, or full. The copy's names are gone as soon as SQLite has it open.
struct ReadableCopy: ~Copyable {
  /// Larger databases are not copied, bytes.
  private static let maximumSize = 64 << 20
  /// File systems in memory; the last may be on a disk.
  private static let places = ["/dev/shm", "/run", "/tmp"]

  private static let name = "copy.sqlite"

  let path: String
  private let folder: String

  /// Whether the log of a database holds anything.
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

  /// The folder of a copy.
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
