import Glibc

/// A folder whose files only its owner can access.
package enum PrivateFolder {
  /// Creates the folder and its missing parents, with access for the owner only; with `isPublic`, all users can read
  /// them, whatever the umask of this process is.
  package static func make(_ path: String, isPublic: Bool = false) throws(SystemError) {
    do throws(SystemError) {
      try makeOne(path, isPublic: isPublic)
    } catch {
      if error.errno == EEXIST { return }
      let parent = self.parent(of: path)
      guard error.errno == ENOENT, parent != path, parent != "." else { throw error }
      try make(parent, isPublic: isPublic)
      do throws(SystemError) {
        try makeOne(path, isPublic: isPublic)
      } catch {
        // Another process created it first.
        guard error.errno == EEXIST else { throw error }
      }
    }
  }

  private static func makeOne(_ path: String, isPublic: Bool) throws(SystemError) {
    let mode: mode_t = isPublic ? 0o755 : 0o700
    try SystemCall.run("mkdir") { unsafe mkdir(path, mode) }
    if isPublic { try SystemCall.run("chmod") { unsafe chmod(path, mode) } }
  }

  /// Throws the error that keeps this process from creating files in a folder.
  package static func checkWritable(_ path: String) throws(SystemError) {
    let probe = "\(path)/.writable"
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(probe, flags, 0o600) })
    _ = unsafe unlink(probe)
    _ = file.rawValue
  }

  /// Creates a folder with an unused name, with access for its owner only.
  package static func makeTemporary(in place: String, prefix: String = "locationd-") throws(SystemError) -> String {
    // mkdtemp(3) replaces the last six characters.
    var template = Array("\(place)/\(prefix)\(String(repeating: "X", count: 6))".utf8CString)
    return try unsafe template.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
      guard let base = buffer.baseAddress, unsafe mkdtemp(base) != nil else {
        throw SystemError(operation: "mkdtemp", errno: errno)
      }
      return unsafe String(cString: base)
    }
  }

  /// Removes an empty folder.
  package static func removeEmpty(_ path: String) { _ = unsafe rmdir(path) }

  /// Why an existing folder is not safe for this user's settings; `nil` if only root and this user can create files in
  /// it, or if it does not exist. Removes the write permission of this user's own group.
  package static func distrust(of path: String) throws(SystemError) -> FolderExposure? {
    var status = stat()
    do throws(SystemError) {
      try SystemCall.run("stat") { unsafe stat(path, &status) }
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { return .foreign(owner: status.st_uid) }
    // Created with umask 002 by a user with a private group: remove the group's write permission.
    if status.st_uid == geteuid(), status.st_gid == getegid(), status.st_mode & 0o022 == 0o020,
      unsafe chmod(path, status.st_mode & 0o7777 & ~0o020) == 0
    {
      return nil
    }
    return status.st_mode & 0o022 == 0 ? nil : .writable(mode: UInt32(status.st_mode & 0o7777))
  }

  /// Waits until the folder's entries are on disk: otherwise a new file's name may be lost in a power failure.
  package static func synchronize(_ path: String) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let folder = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    let fd = folder.rawValue
    try SystemCall.run("fsync") { fsync(fd) }
  }

  /// The folders in `path`, in unspecified order.
  package static func folders(in path: String) throws(SystemError) -> [String] {
    var folders: [String] = []
    try forEach(in: path) { name, status in
      if status.st_mode & S_IFMT == S_IFDIR, name != ".", name != ".." { folders.append(name) }
    }
    return folders
  }

  /// The regular files in `path`, in unspecified order.
  package static func files(in path: String) throws(SystemError) -> [FileEntry] {
    var files: [FileEntry] = []
    try forEach(in: path) { name, status in
      guard status.st_mode & S_IFMT == S_IFREG else { return }
      let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
      files.append(
        FileEntry(
          name: name, size: Int(status.st_size), sizeOnDisk: Int(status.st_blocks) * 512,
          version: FileVersion(number: UInt64(status.st_ino), modifiedNanoseconds: modified)))
    }
    return files
  }

  /// The results of `make` for the regular files in `path`, in unspecified order, without `nil`; empty if there is no
  /// folder.
  package static func files<File>(
    in path: String, _ make: (FileEntry) -> File?
  ) throws(SystemError) -> [File] {
    do throws(SystemError) {
      return try files(in: path).compactMap(make)
    } catch {
      guard error.isAbsence else { throw error }
      return []
    }
  }

  /// Whether `path` contains a regular file named `name`.
  package static func hasFile(_ name: String, in path: String) -> Bool {
    var status = stat()
    return unsafe lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The kind of file that has a name.
  package enum Entry: Hashable, Sendable {
    case nothing
    /// A regular file of this size in bytes.
    case file(size: Int)
    case other
  }

  /// The kind of file at `path`; links are not followed.
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

  /// The folder that contains the path's last component.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path of a file in whose folder symbolic links are resolved; if the file itself is a link, it stays one.
  package static func resolvingFolder(of path: String) throws(SystemError) -> String {
    let folder = parent(of: path)
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    let resolved = try RealPath.of(folder)
    return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
  }

  private static func forEach(in path: String, _ body: (String, stat) -> Void) throws(SystemError) {
    guard let directory = unsafe opendir(path) else { throw SystemError(operation: "opendir", errno: errno) }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      // Skip an entry that was removed in the meantime.
      if unsafe lstat("\(path)/\(name)", &status) == 0 { body(name, status) }
    }
  }
}

/// A file as listed in its folder.
package struct FileEntry: Hashable, Sendable {
  package let name: String
  /// Length in bytes.
  package let size: Int
  /// Bytes that the file occupies in the file system.
  package let sizeOnDisk: Int
  package let version: FileVersion
}

/// Distinguishes a file from one that replaces it.
package struct FileVersion: Hashable, Sendable {
  /// The file's number in the file system (st_ino).
  let number: UInt64
  /// When the file's content was last changed, nanoseconds since 1970.
  let modifiedNanoseconds: Int64
}

/// Who other than this user and root can create files in a folder.
package enum FolderExposure: Hashable, Sendable {
  /// Its owner, who is another user.
  case foreign(owner: UInt32)
  /// Users other than the owner have write permission.
  case writable(mode: UInt32)
}

/// A file that only this user can have written.
package enum OwnFile {
  /// Reads the file; rejects links, files of another user, and files for which other users have permissions.
  ///
  /// - Parameter maximumSize: maximum size of the file, bytes.
  package static func read(_ path: String, maximumSize: Int) throws(OwnFileError) -> [UInt8] {
    try content(path, maximumSize: maximumSize).get()
  }

  private static func content(_ path: String, maximumSize: Int) -> Result<[UInt8], OwnFileError> {
    do throws(SystemError) {
      // NONBLOCK: a FIFO in its place must not block this process.
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

/// Why a file is not accepted as one that only this user can have written.
package enum OwnFileError: Error, Hashable, Sendable {
  case doesNotExist
  case notAFile
  /// The file belongs to that user.
  case foreign(owner: UInt32)
  /// Users other than its owner have permissions.
  case shared(mode: UInt32)
  case system(SystemError)
}

/// Folders for a program's state and a user's data, and paths of the service's socket. `environment` returns the value of a variable, or
/// `nil` if it is not set.
package enum Directories {
  /// The paths at which a client looks for the service's socket, in this order.
  package static func sockets(environment: (String) -> String?) -> [String] {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return [chosen] }
    return [systemSocket] + [userSocket(environment)].compactMap(\.self)
  }

  /// The path at which the service creates its socket; `nil` if the environment defines no folder for a user's own.
  package static func ownSocket(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return chosen }
    return isRoot ? systemSocket : userSocket(environment)
  }

  private static let systemSocket = "/run/locationd/socket"

  private static func userSocket(_ environment: (String) -> String?) -> String? {
    guard let base = environment("XDG_RUNTIME_DIR"), base.hasPrefix("/") else { return nil }
    return base + "/locationd/socket"
  }

  /// The folder for a user's own data; `nil` if the environment defines none and the user has no home folder.
  package static func userData(environment: (String) -> String?) -> String? {
    // XDG Base Directory Specification: relative paths must be ignored.
    if let base = environment("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/locationd" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/share/locationd"
  }

  /// The folder for state; `nil` if the environment defines none and the user has no home folder.
  package static func state(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_STATE"), !chosen.isEmpty { return chosen }
    if isRoot { return "/var/lib/locationd" }
    // XDG Base Directory Specification: relative paths must be ignored.
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/locationd" }
    if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state/locationd" }
    return nil
  }
}
