package import LinuxIO

/// Why a service cannot be hosted.
package enum HostError: Error, Hashable, Sendable {
  /// There is no such file to replay.
  case noSuchFile(path: String)
  /// The file to replay is no capture, NMEA or UBX log, or may not be read; why, in words.
  case badFile(path: String, reason: String)
  case system(operation: String, errno: Int32)
  /// Another daemon keeps its state in that folder; its process, where the kernel tells.
  case stateInUse(path: String, processID: Int32?)
  /// The daemon's state folder cannot be written, and not for a full or read-only disk.
  case stateUnwritable(path: String, errno: Int32)
  /// Others than root and this user can put files into that folder, and so grant themselves what they like.
  case stateOpenToOthers(path: String, FolderDistrust)
  /// A service may be there, and this process cannot reach it.
  case barred(socket: String, operation: String, errno: Int32)

  package init(_ error: SystemError) { self = .system(operation: error.operation, errno: error.errno) }

  package init(_ error: BarredService) {
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
