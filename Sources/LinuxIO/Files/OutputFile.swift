import Glibc

/// A file that grows by whole pieces: earlier pieces stay intact if writing the next one fails.
package struct OutputFile: ~Copyable {
  private let descriptor: OwnedDescriptor
  private let path: String
  private let isNew: Bool
  /// Total size of the complete pieces in bytes.
  package private(set) var length = 0

  /// Creates the file. An existing file is an error (`EEXIST`); with `replacing` it is
  /// truncated at the first piece instead. A symbolic link outside /dev is then an error too (`ELOOP`), because it may
  /// lead to an unintended file.
  ///
  /// - Parameter mode: the permissions of a new file, less those that the umask withholds; by default, only its owner has access.
  package init(path: String, replacing: Bool, mode: UInt32 = 0o600) throws(SystemError) {
    // NONBLOCK: opening a FIFO without a reader fails instead of blocking.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    var isNew = true
    let fd: Int32
    do throws(SystemError) {
      fd = try SystemCall.run("open") { unsafe open(path, flags | O_EXCL, mode) }
    } catch {
      guard replacing, error.errno == EEXIST else { throw error }
      isNew = false
      // Links in /dev belong to the system, for example /dev/stdout.
      let follow = path.hasPrefix("/dev/") ? 0 : O_NOFOLLOW
      fd = try SystemCall.run("open") { unsafe open(path, flags | follow, mode) }
    }
    descriptor = OwnedDescriptor(rawValue: fd)
    self.path = path
    self.isNew = isNew
  }

  /// Appends all of `bytes`, or nothing if writing fails.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    // Fails for a pipe or a device, which have no length; that is harmless.
    if length == 0 { _ = ftruncate(descriptor.rawValue, 0) }
    let failure: Int32
    switch Stream.write(bytes, to: descriptor.rawValue) {
    case .written:
      length += bytes.count
      return
    case .readerGone: failure = EPIPE
    case .failed(let number): failure = number
    }
    // Anything but a regular file keeps the part that was written.
    _ = ftruncate(descriptor.rawValue, length)
    _ = lseek(descriptor.rawValue, length, SEEK_SET)
    throw SystemError(operation: "write", errno: failure)
  }

  /// Writes `bytes` in place of those at `offset`, which were appended before.
  package mutating func replace(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let fd = descriptor.rawValue
    var written = 0
    while written < bytes.count {
      let rest = Array(bytes[written...])
      let count = try SystemCall.run("pwrite") {
        Int32(clamping: unsafe rest.withUnsafeBytes { unsafe pwrite(fd, $0.baseAddress, $0.count, offset + written) })
      }
      guard count > 0 else { throw SystemError(operation: "pwrite", errno: ENOSPC) }
      written += Int(count)
    }
  }

  fileprivate func setPermissions(_ mode: UInt32) throws(SystemError) {
    let fd = descriptor.rawValue
    try SystemCall.run("fchmod") { fchmod(fd, mode) }
  }

  /// Waits until the whole file is on disk.
  package func synchronize() throws(SystemError) {
    let fd = descriptor.rawValue
    do throws(SystemError) {
      try SystemCall.run("fsync") { fsync(fd) }
    } catch {
      // A pipe or a device has no disk to synchronize.
      guard error.errno == EINVAL || error.errno == EROFS else { throw error }
    }
  }

  /// Removes the file if this value created it, because it was not completed.
  package func discard() {
    if isNew { _ = unsafe unlink(path) }
  }
}

/// A new file that gets its name only when it is complete. Until then it has a temporary name in the same folder. An
/// incomplete file is removed.
package struct NewFile: ~Copyable {
  private var file: OutputFile
  private let path: String
  private let temporary: String
  private let replaces: Bool
  private var isDone = false

  /// Creates the file. `EEXIST`: the name is taken; `EPERM`: the name leads to
  /// something other than a regular file.
  ///
  /// - Parameters:
  ///   - replacing: whether the complete file replaces one of that name, whose permissions it then gets.
  ///   - mode: the permissions of a new file, less those that the umask withholds; by default, only its owner has access.
  package init(path: String, replacing: Bool = false, mode: UInt32 = 0o600) throws(SystemError) {
    guard replacing || !Self.isTaken(path) else { throw SystemError(operation: "open", errno: EEXIST) }
    // A new file in place of a device, such as /dev/full, would remove the device for all programs.
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG { throw SystemError(operation: "open", errno: EPERM) }
    let temporary = "\(path).\(getpid()).new"
    // Left by a killed process with the same ID.
    _ = unsafe unlink(temporary)
    file = try Self.begin(temporary, mode: mode, exactly: exists ? status.st_mode & 0o777 : nil)
    self.path = path
    self.temporary = temporary
    replaces = replacing
  }

  /// - Parameter permissions: those of the file that it replaces, whatever the umask is; `nil`: there is none.
  private static func begin(
    _ path: String, mode: UInt32, exactly permissions: UInt32?
  ) throws(SystemError) -> OutputFile {
    let file = try OutputFile(path: path, replacing: false, mode: permissions == nil ? mode : 0o600)
    if let permissions {
      do throws(SystemError) {
        try file.setPermissions(permissions)
      } catch {
        file.discard()
        throw error
      }
    }
    return file
  }

  deinit {
    if !isDone { file.discard() }
  }

  /// Appends all of `bytes`, or nothing if writing fails.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) { try file.append(bytes) }

  /// Writes `bytes` in place of those at `offset`, which were appended before.
  package mutating func replace(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try file.replace(bytes, at: offset)
  }

  /// Waits for the disk and gives the file its name. `EEXIST`: another file has received the name in the meantime, and
  /// keeps it.
  package consuming func finish() throws(SystemError) {
    try file.synchronize()
    guard !replaces else {
      try FileChange.rename(temporary, to: path)
      isDone = true
      return
    }
    do throws(SystemError) {
      let (from, to) = (temporary, path)
      try SystemCall.run("rename") { unsafe renameat2(AT_FDCWD, from, AT_FDCWD, to, UInt32(RENAME_NOREPLACE)) }
    } catch {
      // The file system does not support the atomic form (renameat2(2)).
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
