import LocationIPC
import LocationPolicy

/// Why somebody is not told where the machine is, and the command by which they would be.
extension FailureSentence {
  init(_ denial: AuthorizationDenial, _ identity: ClientIdentity?) {
    let who = identity.map(ClientName.text(of:)) ?? "this client"
    let grant = "'sudo locationctl grant \(identity.map(ClientName.selector(of:)) ?? "WHO")"
    switch denial {
    case .servicesOff:
      self.init("Location services are switched off: 'sudo locationctl services on' switches them on.", .denied)
    case .denied: self.init("\(who) may not know where this machine is: \(grant)' would allow it.", .denied)
    case .restricted:
      self.init(
        "\(who) may not know where this machine is, by root's decision: only \(grant)' would allow it.", .denied)
    case .undecided(isAsked: false):
      self.init(
        "Nobody has decided yet whether \(who) may know where this machine is, and nobody is there to ask: "
          + "it is noted; \(grant)' would allow it.", .denied)
    case .undecided(isAsked: true):
      self.init(
        "Nobody has answered yet whether \(who) may know where this machine is: answer, or run \(grant)'.", .denied)
    case .notAsked(.notInUse):
      self.init(
        "Nobody has decided whether \(who) may know where this machine is, and nobody is asked on behalf of what "
          + "runs in the background: \(grant) --always' would allow it.", .denied)
    case .notAsked:
      self.init(
        "Nobody has decided whether \(who) may know where this machine is, and nobody is asked: \(grant)' would allow it.",
        .denied)
    case .inBackground:
      self.init(
        "\(who) may know where this machine is only while in use, and this runs in the background: "
          + "\(grant) --always' would allow it.", .denied)
    case .needsAlways:
      self.init("\(who) may do that only with always: \(grant) --always' would allow it.", .denied)
    case .needsFullAccuracy:
      self.init(
        "\(who) may know only roughly where this machine is, and that tells it exactly: \(grant)' without --reduced "
          + "would allow it.", .denied)
    case .notInCharge:
      self.init("Only root and members of the group location may do that: put sudo before it.", .denied)
    case .notOwner: self.init("That belongs to another user: put sudo before the command.", .denied)
    case .decision(.noSay):
      self.init("You have no say over that: put sudo before the command.", .denied)
    case .decision(.onlyRoot):
      self.init("Only root restricts, or lifts a restriction: put sudo before the command.", .denied)
    case .decision(.aboveOwn):
      self.init("You may not grant more than you have yourself: put sudo before the command.", .denied)
    case .decision(.full):
      self.init("There is no room for one more: revoke with --forget what is not needed any more.", .locationUnknown)
    case .noSuchQuestion: self.init("That question is not open any more.", .locationUnknown)
    case .unidentified:
      self.init(
        "The location service cannot tell who is asking, as from inside of some containers: "
          + "ask from a shell of the machine itself.", .denied)
    }
  }
}
