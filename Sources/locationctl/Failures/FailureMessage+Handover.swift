import LocationIPC

/// Why a receiver does not belong to its new owner yet, and the command that completes the handover.
extension FailureMessage {
  init(_ path: String, for owner: DeviceOwner, _ problem: HandoverProblem) {
    let name = TerminalText.sanitized(path)
    let state =
      switch owner {
      case .locationd: "gpsd still has \(name)"
      case .gpsd: "gpsd does not have \(name) yet"
      }
    let verb =
      switch owner {
      case .locationd: "remove"
      case .gpsd: "add"
      }
    let command = "gpsdctl \(verb) \(name)"
    let step =
      switch owner {
      case .locationd: "released"
      case .gpsd: "opened"
      }
    let promise = "your choice is stored and applies as soon as gpsd has \(step) the receiver"
    switch problem {
    case .denied(let socket):
      self.init(
        "\(state), because the location service may not use gpsd's control socket \(TerminalText.sanitized(socket)): "
          + "run '\(Self.sudo(socket))\(command)'; \(promise).", .denied)
    case .noSocket(let socket):
      self.init(
        "\(state), because gpsd has no control socket \(TerminalText.sanitized(socket)): start gpsd with one (-F), "
          + "then run '\(Self.sudo(socket))\(command)'; \(promise).", .locationUnknown)
    case .refused:
      self.init(
        "\(state), although gpsd received the request of the location service: run 'sudo \(command)'; \(promise).",
        .locationUnknown)
    case .noAnswer:
      self.init(
        "\(state), because it does not answer at its control socket: run 'sudo systemctl restart gpsd', "
          + "then 'sudo \(command)'; \(promise).", .locationUnknown)
    case .elsewhere(let gpsd):
      self.init(
        "\(state), because gpsd runs on another machine (\(TerminalText.sanitized(gpsd))): run 'sudo \(command)' there; "
          + "\(promise).", .locationUnknown)
    case .unminded:
      self.init(
        "\(state), because the setting 'gpsd' (LOCATIOND_GPSD) of the location service is 'off': run 'sudo \(command)', and remove that setting.",
        .locationUnknown)
    }
  }

  /// gpsdctl(8) uses its default socket unless GPSD_SOCKET is set.
  private static func sudo(_ socket: String) -> String {
    ["/run/gpsd.sock", "/var/run/gpsd.sock"].contains(socket)
      ? "sudo " : "sudo GPSD_SOCKET=\(TerminalText.sanitized(socket)) "
  }
}
