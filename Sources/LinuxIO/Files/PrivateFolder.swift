import Glibc

/// A folder whose files are its owner's only.
package enum PrivateFolder {
  /// Makes the folder and those above it that are missing, each for its owner only, unless it is public.
  package static func make(_ path: String, isPublic: Bool = false) throws(SystemError) {
    let mode: mode_t = isPublic ? 0o755 : 0o700
    do throws(SystemError) {
      try SystemCall.run("mkdir") { unsafe mkdir(path, mode) }
    } catch {
      if error.errno == EEXIST { return }
      let parent = self.parent(of: path)
      guard error.errno == ENOENT, parent != path, parent != "." else { throw error }
      try make(parent, isPublic: isPublic)
      do throws(SystemError) {
        try SystemCall.run("mkdir") { unsafe mkdir(path, mode) }
      } catch {
        // Someone else was faster.
        guard error.errno == EEXIST else { throw error }
      }
    }
  }

  /// Throws what keeps this process from making files in a folder.
  package static func checkWritable(_ path: String) throws(SystemError) {
    let probe = "\(path)/.writable"
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(probe, flags, 0o600) })
    _ = unsafe unlink(probe)
    _ = file.rawValue
  }

  /// Makes a folder of a name that nobody has, for its owner only.
  package static func makeTemporary(in place: String) throws(SystemError) -> String {
    // mkdtemp(3) puts the last six in their place.
    var template = Array("\(place)/locationd-\(String(repeating: "X", count: 6))".utf8CString)
    return try unsafe template.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
      guard let base = buffer.baseAddress, unsafe mkdtemp(base) != nil else {
        throw SystemError(operation: "mkdtemp", errno: errno)
      }
      return unsafe String(cString: base)
    }
  }

  /// Removes a folder with nothing in it.
  package static func removeEmpty(_ path: String) { _ = unsafe rmdir(path) }

  /// Why a folder that is there must not hold what this user decides; `nil`: nobody but root and this user can put anything
  /// there, or there is no folder.
  package static func distrust(of path: String) throws(SystemError) -> FolderDistrust? {
    var status = stat()
    do throws(SystemError) {
      try SystemCall.run("stat") { unsafe stat(path, &status) }
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { return .foreign(owner: status.st_uid) }
    // Made with umask 002, by a user with a group of its own: this process takes the group's right to write away.
    if status.st_uid == geteuid(), status.st_gid == getegid(), status.st_mode & 0o022 == 0o020,
      unsafe chmod(path, status.st_mode & 0o7777 & ~0o020) == 0
    {
      return nil
    }
    return status.st_mode & 0o022 == 0 ? nil : .writable(mode: UInt32(status.st_mode & 0o7777))
  }

  /// Waits until the names in it are on the disk: a new file's name may be gone after a power cut otherwise.
  package static func synchronize(_ path: String) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let folder = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    let fd = folder.rawValue
    try SystemCall.run("fsync") { fsync(fd) }
  }

  /// The folders in it, in no order.
  package static func folders(in path: String) throws(SystemError) -> [String] {
    var folders: [String] = []
    try forEach(in: path) { name, status in
      if status.st_mode & S_IFMT == S_IFDIR, name != ".", name != ".." { folders.append(name) }
    }
    return folders
  }

  /// The regular files in it, in no order.
  package static func files(in path: String) throws(SystemError) -> [FileEntry] {
    var files: [FileEntry] = []
    try forEach(in: path) { name, status in
      guard status.st_mode & S_IFMT == S_IFREG else { return }
      files.append(FileEntry(name: name, size: Int(status.st_size), sizeOnDisk: Int(status.st_blocks) * 512))
    }
    return files
  }

  /// Whether a regular file of that name is in it.
  package static func hasFile(_ name: String, in path: String) -> Bool {
    var status = stat()
    return unsafe lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// What stands under a name.
  package enum Entry: Hashable, Sendable {
    case nothing
    /// A regular file of so many bytes.
    case file(size: Int)
    case other
  }

  /// What stands under a name, which is not looked behind where it is a link.
  package static func entry(_ path: String) throws(SystemError) -> Entry {
    var status = stat()
    do throws(SystemError) {
      try SystemCall.run("lstat") { unsafe lstat(path, &status) }
    } catch {
      guard error.isAbsence else { throw error }
      return .nothing
    }
    return status.st_mode & S_IFMT == S_IFREG ? .file(size: Int(status.st_size)) : .other
  }

  /// The folder that a path's last part is in.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func forEach(in path: String, _ body: (String, stat) -> Void) throws(SystemError) {
    guard let directory = unsafe opendir(path) else { throw SystemError(operation: "opendir", errno: errno) }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      // One that has gone since is not there.
      if unsafe lstat("\(path)/\(name)", &status) == 0 { body(name, status) }
    }
  }
}

/// A file as its folder lists it.
package struct FileEntry: Hashable, Sendable {
  package let name: String
  /// Length in bytes.
  package let size: Int
  /// Bytes that it takes from the file system.
  package let sizeOnDisk: Int
}

/// Who else can put files into a folder.
package enum FolderDistrust: Hashable, Sendable {
  /// The user who owns it.
  case foreign(owner: UInt32)
  /// Others than its owner may write in it.
  case writable(mode: UInt32)
}

/// A file that only this user can have written.
package enum OwnFile {
  /// What it holds; what somebody else may read or write, or has written, is refused, and so is a link.
  ///
  /// - Parameter maximumSize: bytes.
  package static func read(_ path: String, maximumSize: Int) throws(OwnFileError) -> [UInt8] {
    try content(path, maximumSize: maximumSize).get()
  }

  private static func content(_ path: String, maximumSize: Int) -> Result<[UInt8], OwnFileError> {
    do throws(SystemError) {
      // NONBLOCK: whoever puts a FIFO there must not make us wait.
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
      let status = try FileStatus.of(file.rawValue)
      if let problem = problem(of: status) { return .failure(problem) }
      return .success(try Transfer.readAll(file.rawValue, maximumSize: maximumSize))
    } catch {
      return .failure(error.isAbsence ? .doesNotExist : .system(error))
    }
  }

  private static func problem(of status: stat) -> OwnFileError? {
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
    guard status.st_uid == geteuid() else { return .foreign(owner: status.st_uid) }
    return status.st_mode & 0o077 == 0 ? nil : .shared(mode: status.st_mode & 0o777)
  }
}

/// Why a file is not taken for this user's own.
package enum OwnFileError: Error, Hashable, Sendable {
  case doesNotExist
  case notAFile
  /// It is that user's.
  case foreign(owner: UInt32)
  /// Others than its owner have rights on it.
  case shared(mode: UInt32)
  case system(SystemError)
}

/// Where a program keeps what it remembers, and where the service is met. `environment` gives the value of a variable, `nil`
/// where it is not set.
package enum Directories {
  /// Where a client looks for the service's socket, in this order.
  package static func sockets(environment: (String) -> String?) -> [String] {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return [chosen] }
    return [systemSocket] + [userSocket(environment)].compactMap(\.self)
  }

  /// Where the service makes its socket; `nil` where the environment names no place for a user's own.
  package static func ownSocket(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return chosen }
    return isRoot ? systemSocket : userSocket(environment)
  }

  private static let systemSocket = "/run/locationd/socket"

  private static func userSocket(_ environment: (String) -> String?) -> String? {
    guard let base = environment("XDG_RUNTIME_DIR"), base.hasPrefix("/") else { return nil }
    return base + "/locationd/socket"
  }

  /// The folder for state; `nil` where the environment names none and the user has no home.
  package static func state(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_STATE"), !chosen.isEmpty { return chosen }
    if isRoot { return "/var/lib/locationd" }
    // XDG Base Directory Specification: a relative path is to be ignored.
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/locationd" }
    if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state/locationd" }
    return nil
  }
}
