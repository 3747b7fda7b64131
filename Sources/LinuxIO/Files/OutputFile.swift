import Glibc

/// A file that grows by whole pieces: what is in it stays readable, whatever the next piece comes to.
package struct OutputFile: ~Copyable {
  private let descriptor: OwnedDescriptor
  private let path: String
  private let isNew: Bool
  /// Bytes of the pieces that are in it whole.
  package private(set) var length = 0

  /// Makes the file, for its owner only. One that exists is an error (`EEXIST`), or, where that was asked for, emptied when
  /// the first piece comes. A symbolic link is not followed (`ELOOP`): it may lead to a file that nobody meant.
  package init(path: String, replacing: Bool) throws(SystemError) {
    // NONBLOCK: a FIFO without a reader is an error, not a wait.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    var isNew = true
    let fd: Int32
    do throws(SystemError) {
      fd = try SystemCall.run("open") { unsafe open(path, flags | O_EXCL, 0o600) }
    } catch {
      guard replacing, error.errno == EEXIST else { throw error }
      isNew = false
      // The links in /dev are the system's own, as /dev/stdout is.
      let follow = path.hasPrefix("/dev/") ? 0 : O_NOFOLLOW
      fd = try SystemCall.run("open") { unsafe open(path, flags | follow, 0o600) }
    }
    descriptor = OwnedDescriptor(rawValue: fd)
    self.path = path
    self.isNew = isNew
  }

  /// Adds `bytes`, all of them or, where that fails, none.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    // What is no regular file has no length.
    if length == 0 { _ = ftruncate(descriptor.rawValue, 0) }
    let failure: Int32
    switch Stream.write(bytes, to: descriptor.rawValue) {
    case .written:
      length += bytes.count
      return
    case .readerGone: failure = EPIPE
    case .failed(let number): failure = number
    }
    // What is no regular file keeps what it has got.
    _ = ftruncate(descriptor.rawValue, length)
    _ = lseek(descriptor.rawValue, length, SEEK_SET)
    throw SystemError(operation: "write", errno: failure)
  }

  /// Waits until all of it is on the disk.
  package func synchronize() throws(SystemError) {
    let fd = descriptor.rawValue
    do throws(SystemError) {
      try SystemCall.run("fsync") { fsync(fd) }
    } catch {
      // A pipe or a device has no disk behind it.
      guard error.errno == EINVAL || error.errno == EROFS else { throw error }
    }
  }

  /// Takes the file away again where it was made here: nothing came of it.
  package func discard() {
    if isNew { _ = unsafe unlink(path) }
  }
}

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
