import FleetDestinations

extension FailureMessage {
  /// Why a request about destinations failed.
  init(_ failure: FleetFailure) {
    func clean(_ text: String) -> String { TerminalText.sanitized(text) }
    switch failure {
    case .unknown(let name, let known):
      let list =
        known.isEmpty
        ? "there are none" : "there are \(known.prefix(20).map { "'\(clean($0))'" }.joined(separator: ", "))"
      self.init("There is no destination '\(clean(name))' (\(list)): see 'locationctl fleet list'.", .usage)
    case .exists(let name):
      self.init(
        "There is a destination '\(clean(name))' already: use another name, or change it with 'locationctl fleet add --replace'.",
        .usage)
    case .tooMany(let limit):
      self.init(
        "There are \(limit) destinations, which is the limit: remove one with 'locationctl fleet remove'.", .usage)
    case .invalid(let error): self.init(error)
    case .needsDaemon:
      self.init(
        "locationd is not running, and only locationd sends positions to destinations: start it with "
          + "'sudo systemctl start locationd'.", .noSource)
    case .notInCharge:
      self.init(
        "Only root and members of the group 'location' may send positions to destinations: use sudo.", .denied)
    case .off:
      self.init(
        "Destinations are switched off on this machine by the setting 'fleet': switch them on with "
          + "'sudo locationctl config set fleet on'.", .denied)
    case .notAcknowledged(let problem):
      let reason = problem.map { " (\($0.name))" } ?? ""
      self.init(
        "The server did not confirm the position in time\(reason): it stays in the outbox, and will be sent.",
        .locationUnknown)
    case .otherServer(let waiting):
      self.init(
        "\(waiting) record\(waiting == 1 ? " waits" : "s wait"), recorded for the server that this destination has now: add "
          + "--keep-backlog to send \(waiting == 1 ? "it" : "them") to the new one, or --discard-backlog to delete "
          + "\(waiting == 1 ? "it" : "them").", .usage)
    case .notNow(let state): self.init(Self.sentence(state), .locationUnknown)
    case .noClock:
      self.init(
        "The time of day is not known yet, so that a pause cannot end by itself: leave out --for, or wait until the clock is set.",
        .locationUnknown)
    case .cannotKeep(let path, let reason):
      self.init(
        "Cannot store the destination in \(clean(path)) (\(clean(reason))): make that folder writable.", .cannotWrite)
    }
  }

  private static func sentence(_ state: FleetReport.State?) -> String {
    switch state {
    case .paused: "The destination is paused: 'locationctl fleet resume' ends the pause."
    case .resting: "Nothing is sent now, outside of the destination's schedule."
    case .notAllowed: "The destination has no access to the location: see 'locationctl grants'."
    case .idle: "The destination is being removed: nothing is added to it."
    case nil:
      "The present position may not be sent: it is in a hidden region, not accurate enough, or of a time that is not confirmed."
    case .connecting, .connected, .waiting, .refused, .unheard: "Nothing is sent to the destination now."
    }
  }

  /// Why settings of a destination are invalid.
  init(_ error: FleetSettingsError) {
    func clean(_ text: String) -> String { TerminalText.sanitized(text) }
    let text =
      switch error {
      case .badName(let name):
        "'\(clean(name))' cannot be the name of a destination: use 1 to 64 letters, digits, '_' and '-'."
      case .badAddress:
        "This is not the address of a destination: use mqtts://HOST, https://HOST/PATH, osmand+https://HOST/?id=ID or "
          + "another one of locationctl-fleet(1)."
      case .secretInAddress: "Addresses are printed: give the account with --account and the password with --password."
      case .unencrypted:
        "The connection to this address is not encrypted, so that anyone on the way can read the positions: use mqtts:// "
          + "or https://, or allow it with --insecure."
      case .badValue(let setting): "The value of --\(clean(setting)) is out of range: see locationctl-fleet(1)."
      case .excluded(let one, let other):
        "--\(clean(one)) and --\(clean(other)) exclude each other: use only one of them."
      case .notForKind(let setting, let kind):
        "--\(clean(setting)) has no meaning for a destination of kind \(kind.name)."
      case .missing(let setting): "--\(clean(setting)) is missing."
      case .unknownSetting(let setting): "This version of locationd does not know the setting '\(clean(setting))'."
      case .tooLong(let limit): "The settings of the destination are longer than \(limit) bytes: hide fewer regions."
      }
    self.init(text, .usage)
  }
}
