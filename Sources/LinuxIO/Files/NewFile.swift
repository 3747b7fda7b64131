import Glibc

/// A new file that gets its name when it is whole. Until then it stands beside that under another one, and nothing is left
/// where it never becomes whole.
package struct NewFile: ~Copyable {
  private var file: OutputFile
  private let path: String
  private let temporary: String
  private var isDone = false

  /// Begins the file, for its owner only. `EEXIST`: something of that name is there.
  package init(path: String) throws(SystemError) {
    guard !Self.isTaken(path) else { throw SystemError(operation: "open", errno: EEXIST) }
    let temporary = "\(path).\(getpid()).new"
    // What a killed process of this number has left.
    _ = unsafe unlink(temporary)
    file = try OutputFile(path: temporary, replacing: false)
    self.path = path
    self.temporary = temporary
  }

  deinit {
    if !isDone { file.discard() }
  }

  /// Adds `bytes`, all of them or, where that fails, none.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) { try file.append(bytes) }

  /// Waits for the disk and gives the file its name. `EEXIST`: something else has come to have it, and keeps it.
  package consuming func finish() throws(SystemError) {
    try file.synchronize()
    do throws(SystemError) {
      let (from, to) = (temporary, path)
      try SystemCall.run("rename") { unsafe renameat2(AT_FDCWD, from, AT_FDCWD, to, UInt32(RENAME_NOREPLACE)) }
    } catch {
      // The file system cannot do both at once (renameat2(2)).
      guard error.errno == EINVAL || error.errno == ENOSYS else { throw error }
      guard !Self.isTaken(path) else { throw SystemError(operation: "rename", errno: EEXIST) }
      try FileChange.rename(temporary, to: path)
    }
    isDone = true
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}
