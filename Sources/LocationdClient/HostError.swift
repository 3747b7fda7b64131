package import LinuxIO

/// Why a service cannot be hosted.
package enum HostError: Error, Hashable, Sendable {
  /// There is no such file to replay.
  case noSuchFile(path: String)
  /// The file to replay is not a capture, NMEA or UBX log, or cannot be read; `reason` says why, as text.
  case badFile(path: String, reason: String)
  case system(operation: String, errno: Int32)
  /// Another daemon keeps its state in that folder; `processID` is the other daemon's, if the kernel reports it.
  case stateInUse(path: String, processID: Int32?)
  /// The daemon cannot write to its state folder, for a reason other than a full, read-only or broken disk.
  case stateUnwritable(path: String, errno: Int32)
  /// Users other than root and this user can create files in that folder, and could therefore grant themselves any
  /// access.
  case stateOpenToOthers(path: String, FolderExposure)
  /// A service may be running, but this process cannot reach it.
  case barred(socket: String, operation: String, errno: Int32)

  package init(_ error: SystemError) { self = .system(operation: error.operation, errno: error.errno) }

  package init(_ error: UnreachableService) {
    self = .barred(socket: error.path, operation: error.operation, errno: error.errno)
  }

  package init(_ error: InputFileError, path: String) {
    self =
      switch error {
      case .doesNotExist: .noSuchFile(path: path)
      case .isNotARegularFile: .badFile(path: path, reason: "it is not a regular file")
      case .system(let error): .badFile(path: path, reason: error.description)
      }
  }
}
