import LinuxIO
import LocationdClient

extension FailureMessage {
  /// The request needs the daemon, and none is running.
  static let noDaemon = FailureMessage(
    "locationd is not running, and only locationd stores who has access to the location: start it with "
      + "'sudo systemctl start locationd'.", .noSource)

  /// The service ended before the command was complete.
  static let serviceEnded = FailureMessage(
    "The location service ended without an answer: try again.", .protocolError)

  /// The service did not answer in time.
  static func noReply(remedy: String) -> FailureMessage {
    FailureMessage("The location service did not answer: \(remedy).", .protocolError)
  }

  /// The service sent a reply of another kind than the request requires.
  static let replyMismatch = FailureMessage(
    "The location service sent an answer that does not match the request, perhaps because its version is different: restart the service with 'sudo systemctl restart locationd'.",
    .protocolError)

  /// Why the service could not be hosted or reached. The status is 75 if the cause may be temporary: a system call
  /// failed, a service cannot be reached for a reason other than missing permission, or another daemon uses the state
  /// folder.
  init(_ error: HostError) {
    switch error {
    case .noSuchFile(let path):
      self.init(
        "There is no file \(TerminalText.sanitized(path)): use a capture, an NMEA log or a UBX log.", .badInput)
    case .badFile(let path, let reason):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be played (\(TerminalText.sanitized(reason))): "
          + "use a capture, an NMEA log or a UBX log.", .badInput)
    case .stateInUse(let path, let processID):
      let process = processID.map { " (process \($0))" } ?? ""
      self.init(
        "Another locationd\(process) uses the state folder \(TerminalText.sanitized(path)): end it, or set LOCATIOND_STATE to another "
          + "folder.", .locationUnknown)
    case .stateUnwritable(let path, let errno):
      self.init(
        "Cannot write the state folder \(TerminalText.sanitized(path)) (\(ErrorDescription.of(errno))): set LOCATIOND_STATE to another "
          + "folder.", .cannotWrite)
    case .stateOpenToOthers(let path, _):
      self.init(
        "Other users can write to the state folder \(TerminalText.sanitized(path)): make it your own with mode 700, or "
          + "set LOCATIOND_STATE to another folder.", .denied)
    case .barred(let socket, _, let errno) where SystemErrorKind(errno) == .denied:
      self.init(
        "You may not connect to the location service at \(TerminalText.sanitized(socket)) (\(ErrorDescription.of(errno))): "
          + "run the command with sudo, or give all users access to that socket; the service itself checks each user's access.",
        .denied)
    case .barred(let socket, let operation, let errno):
      self.init(
        "The location service at \(TerminalText.sanitized(socket)) cannot be reached "
          + "(\(TerminalText.sanitized(operation)): \(ErrorDescription.of(errno))): check with 'systemctl status locationd' whether it is running.",
        .locationUnknown)
    case .system(let operation, let errno):
      self.init(
        "The system call \(TerminalText.sanitized(operation)) failed (\(ErrorDescription.of(errno))): try again later.",
        .locationUnknown)
    }
  }
}
