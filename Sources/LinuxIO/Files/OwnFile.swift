import Glibc

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
