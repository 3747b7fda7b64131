import LocationIPC
import LocationPolicy

/// Why somebody is not told where the machine is, and the command by which they would be.
extension FailureSentence {
  /// - Parameter wishesAlways: what was asked for is done also while nobody is there.
  init(_ denial: AuthorizationDenial, _ identity: ClientIdentity?, wishesAlways: Bool = false) {
    let who = Client(identity)
    let grant = who.grant(always: wishesAlways)
    let always = who.grant(always: true)
    let text =
      switch denial {
      case .servicesOff: "Location services are switched off: 'sudo locationctl services on' switches them on."
      case .decisionsLost:
        "Location services are off, as what was decided of who may know is damaged or cannot be read: see the journal of "
          + "locationd, then 'sudo locationctl services on' begins anew."
      case .denied: "\(who.capitalized) may not know where this machine is: \(grant) would allow it."
      case .restricted:
        "\(who.capitalized) may not know where this machine is, by root's decision: only \(grant) would allow it."
      case .undecided(isAsked: false) where wishesAlways:
        "Nobody has decided yet whether \(who.text) may always know where this machine is: \(grant) would allow it."
      case .undecided(isAsked: false):
        "Nobody has decided yet whether \(who.text) may know where this machine is, and nobody is there to ask: "
          + "'locationctl grants' lists it, and \(grant) would allow it."
      case .undecided(isAsked: true):
        "Nobody has answered yet whether \(who.text) may know where this machine is: answer it, or run \(grant)."
      case .notAsked(.notInUse):
        "Nobody has decided whether \(who.text) may know where this machine is, and nobody is asked for what "
          + "runs in the background: \(always) would allow it."
      case .notAsked(.noDescription):
        "Nobody has decided whether \(who.text) may know where this machine is, and nobody is asked, as it does not say "
          + "what for: \(grant) would allow it."
      case .notAsked(.allowedOnce), .notAsked(.full):
        "Nobody has decided whether \(who.text) may know where this machine is, and nobody is asked: "
          + "\(grant) would allow it."
      case .inBackground:
        "\(who.capitalized) may know where this machine is only while in use, and this runs in the background: "
          + "\(always) would allow it."
      case .needsAlways: "\(who.capitalized) may not do that without always: \(always) would allow it."
      case .needsFullAccuracy(let needsAlways):
        "\(who.capitalized) may know only roughly where this machine is, and that would tell it exactly: "
          + "\(needsAlways ? always : grant) without --reduced would allow it."
      case .noGrid:
        "\(who.capitalized) may know only roughly where this machine is, and the key that needs cannot be read or kept: see "
          + "the journal of locationd, then 'sudo systemctl reload locationd'."
      case .notInCharge:
        "Only root and members of the groups location and dialout may do that: put sudo before the command."
      case .decision(.noSay):
        "Only root and members of the group location decide that: put sudo before the command."
      case .notOwner: "That belongs to another user: put sudo before the command."
      case .decision(.onlyRoot): "Only root restricts, or lifts a restriction: put sudo before the command."
      case .decision(.aboveOwn): "Nobody grants more than they have themselves: put sudo before the command."
      case .decision(.full):
        "As many decisions are kept as there is room for: take one back with 'locationctl revoke WHO --forget'."
      case .decision(.byAccount):
        "Root, and whoever is in the group location, dialout or uucp, may know whatever is decided: take the user out of the "
          + "group first, as by 'sudo gpasswd -d USER dialout', and stop the user's programs."
      case .noSuchQuestion: "That question is not open any more: 'locationctl grants' lists those that are."
      case .unidentified:
        "The location service cannot tell who is asking, as from inside of some containers: "
          + "ask from a shell of the machine itself."
      }
    self.init(text, Self.status(denial))
  }

  /// What was decided is done, and does not last.
  init(_ path: String, notKept reason: String, _ cause: StorageCause) {
    let folder = TerminalText.sanitized(path)
    let remedy =
      switch cause {
      case .noRoom: "make room on the disk of \(folder)"
      case .readOnly: "mount the file system of \(folder) to be written"
      case .denied: "let locationd write to \(folder)"
      case .diskError: "look into the kernel's log (dmesg), and exchange the disk of \(folder)"
      case .busy: "wait for the disk of \(folder), or look what keeps it busy"
      case .laterVersion: "use the version of locationd that wrote \(folder), or a later one"
      case .damaged, .other: "look into the journal of locationd, and mend \(folder)"
      }
    self.init(
      "That holds now, but is NOT kept, and is lost when locationd ends (\(TerminalText.sanitized(reason))): \(remedy); "
        + "locationd goes on trying.", .cannotWrite)
  }

  private static func status(_ denial: AuthorizationDenial) -> CommandStatus {
    switch denial {
    case .decision(.full): .cannotWrite
    case .noSuchQuestion: .locationUnknown
    case .servicesOff, .decisionsLost, .denied, .restricted, .undecided, .notAsked, .inBackground, .needsAlways,
      .needsFullAccuracy,
      .noGrid, .notInCharge, .notOwner, .decision, .unidentified:
      .denied
    }
  }
}

/// Whom a denial is about.
private struct Client {
  let text: String
  private let selector: String
  private let isNeverInUse: Bool

  init(_ identity: ClientIdentity?) {
    text = identity.map(ClientName.text(of:)) ?? "this client"
    selector = identity.map(ClientName.selector(of:)) ?? "WHO"
    // A service and a container are always in the background, where while-in-use would give nothing.
    isNeverInUse =
      switch identity?.realm {
      case .service, .container: true
      case .own, .flatpak, .snap, nil: false
      }
  }

  /// As a sentence begins with it.
  var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The command that grants it, in quotes.
  func grant(always: Bool) -> String {
    "'sudo locationctl grant \(selector)\(always || isNeverInUse ? " --always" : "")'"
  }
}
