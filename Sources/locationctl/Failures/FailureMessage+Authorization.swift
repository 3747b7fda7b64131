import LocationIPC
import LocationPolicy

/// Why a client has no access to the location, and the command that grants access.
extension FailureMessage {
  /// - Parameter needsAlways: whether the request also runs while no user is present, and therefore needs "always"
  ///   permission.
  init(_ denial: AuthorizationDenial, _ identity: ClientIdentity?, needsAlways: Bool = false) {
    let who = Client(identity)
    let grant = who.grant(always: needsAlways)
    let always = who.grant(always: true)
    let text =
      switch denial {
      case .servicesOff: "Location services are off: switch them on with 'sudo locationctl services on'."
      case .decisionsLost:
        "Location services are off for you, because the file of access decisions is damaged or cannot be read: see 'journalctl -u "
          + "locationd', then repair the file, or run 'sudo locationctl services on', which switches them on without the stored grants."
      case .denied(let inBackground):
        "\(who.capitalized) has no access to the location: grant it with \(inBackground ? always : grant)."
      case .restricted(let inBackground):
        "\(who.capitalized) has no access to the location, and only root can change that: "
          + "grant it with \(inBackground ? always : grant)."
      case .undecided(isAsked: false) where needsAlways:
        "\(who.capitalized) has no access to the location in the background yet: grant it with \(grant)."
      case .undecided(isAsked: false):
        "\(who.capitalized) has no access to the location yet, and no agent is running that could ask for it: "
          + "grant it with \(grant); 'locationctl grants' lists the request."
      case .undecided(isAsked: true):
        "\(who.capitalized) has no access to the location yet, and the permission request was not answered in time: answer it, or run "
          + "\(grant)."
      case .notAsked(.notInUse):
        "\(who.capitalized) has no access to the location, and cannot ask for it in the background, which is everything outside of an open "
          + "login session (services, cron, a shell after 'su -'): grant it with \(always)."
      case .notAsked(.noDescription):
        "\(who.capitalized) has no access to the location, and cannot ask for it without a reason (--purpose): "
          + "grant it with \(grant)."
      case .notAsked(.allowedOnce), .notAsked(.full):
        "\(who.capitalized) has no access to the location, and cannot ask for it now: " + "grant it with \(grant)."
      case .inBackground:
        "\(who.capitalized) has access to the location only while in use, but this command runs in the background, because it belongs to "
          + "no open login session (as after 'su -'): log in as that user, or grant more with \(always)."
      case .needsAlways:
        "\(who.capitalized) needs access to the location in the background for this: grant it with \(always)."
      case .needsFullAccuracy(let needsAlways):
        "\(who.capitalized) has access only to the approximate location, but this needs the exact one: "
          + "grant it with \(needsAlways ? always : grant), without --reduced."
      case .noGrid:
        "\(who.capitalized) has access only to the approximate location, which the service cannot compute now, because its key file "
          + "cannot be read or stored: correct what 'journalctl -u locationd' reports, then run 'sudo systemctl reload locationd'."
      case .notAdministrator:
        "Only root and members of the groups location, dialout and uucp may do that: run the command with sudo."
      case .decision(.noAuthority):
        "Only root and members of the group location may decide that: run the command with sudo."
      case .notOwner: "That belongs to another user: run the command with sudo."
      case .decision(.onlyRoot): "Only root may set or remove a restriction: run the command with sudo."
      case .decision(.aboveOwn): "You cannot grant more access than you have yourself: run the command with sudo."
      case .decision(.full):
        "The list of access decisions is full: delete one with 'locationctl revoke WHO --forget'."
      case .decision(.byAccount):
        "Root and members of the groups location, dialout and uucp always have access: remove the user from the "
          + "group first, for example with 'sudo gpasswd -d USER dialout', and stop the user's programs."
      case .noSuchQuestion: "That request is not open any more: list the open ones with 'locationctl grants'."
      case .unidentified:
        "The location service cannot identify this program, which happens in some containers: "
          + "run the program outside of the container."
      }
    self.init(text, Self.status(denial))
  }

  /// The decision takes effect, but is not stored and will not survive a restart.
  init(_ path: String, notKept reason: String, _ cause: StorageCause) {
    let folder = TerminalText.sanitized(path)
    let remedy =
      switch cause {
      case .noRoom: "make room on the disk of \(folder)"
      case .readOnly: "mount the file system of \(folder) writable"
      case .denied: "let locationd write to \(folder)"
      case .diskError: "see the kernel's log (dmesg), and replace the disk of \(folder)"
      case .busy: "wait for the disk of \(folder), or find out what keeps it busy"
      case .laterVersion: "use the version of locationd that wrote \(folder), or a later one"
      case .damaged, .other: "see 'journalctl -u locationd', and repair \(folder)"
      }
    self.init(
      "The decision applies now, but it is NOT stored and will be lost when locationd ends (\(TerminalText.sanitized(reason))): \(remedy); "
        + "locationd keeps trying.", .cannotWrite)
  }

  private static func status(_ denial: AuthorizationDenial) -> CommandStatus {
    switch denial {
    case .decision(.full): .cannotWrite
    case .noSuchQuestion: .locationUnknown
    case .servicesOff, .decisionsLost, .denied, .restricted, .undecided, .notAsked, .inBackground, .needsAlways,
      .needsFullAccuracy,
      .noGrid, .notAdministrator, .notOwner, .decision, .unidentified:
      .denied
    }
  }
}

/// The client that a denial is about.
private struct Client {
  let text: String
  private let selector: String
  private let isNeverInUse: Bool

  init(_ identity: ClientIdentity?) {
    text = identity.map(ClientName.text(of:)) ?? "this client"
    selector = identity.map(ClientName.selector(of:)) ?? "WHO"
    // A service, a container and another machine are always background clients, to which "while in use" would grant nothing.
    isNeverInUse =
      switch identity?.realm {
      case .service, .container, .network: true
      case .own, .flatpak, .snap, nil: false
      }
  }

  /// The form for the start of a sentence.
  var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The command that grants access, in quotes.
  func grant(always: Bool) -> String {
    "'sudo locationctl grant \(selector)\(always || isNeverInUse ? " --always" : "")'"
  }
}
