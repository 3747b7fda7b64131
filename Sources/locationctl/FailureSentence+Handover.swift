import LocationIPC

/// Why a receiver is not its new owner's yet, and the command that makes it so.
extension FailureSentence {
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
    let promise = "your choice is kept, and holds as soon as gpsd has done so"
    switch problem {
    case .denied(let socket):
      self.init(
        "\(state), as the location service may not use gpsd's control socket \(TerminalText.sanitized(socket)): "
          + "run '\(Self.sudo(socket))\(command)'; \(promise).", .denied)
    case .noSocket(let socket):
      self.init(
        "\(state), as gpsd has no control socket \(TerminalText.sanitized(socket)): start gpsd with one (-F), "
          + "then run '\(Self.sudo(socket))\(command)'; \(promise).", .locationUnknown)
    case .refused:
      self.init("\(state), though it was asked to: run 'sudo \(command)'; \(promise).", .locationUnknown)
    case .noAnswer:
      self.init(
        "\(state), as it does not answer at its control socket: run 'sudo systemctl restart gpsd', "
          + "then 'sudo \(command)'; \(promise).", .locationUnknown)
    case .elsewhere(let gpsd):
      self.init(
        "\(state), as gpsd runs on another machine (\(TerminalText.sanitized(gpsd))): run 'sudo \(command)' there; "
          + "\(promise).", .locationUnknown)
    case .unminded:
      self.init(
        "\(state), as LOCATIOND_GPSD is off: run 'sudo \(command)', and take that setting away.", .locationUnknown)
    }
  }

  /// gpsdctl(8) looks at the usual place where nothing else is said.
  private static func sudo(_ socket: String) -> String {
    ["/run/gpsd.sock", "/var/run/gpsd.sock"].contains(socket)
      ? "sudo " : "sudo GPSD_SOCKET=\(TerminalText.sanitized(socket)) "
  }
}
