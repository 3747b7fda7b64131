import LocationDaemon
import LocationPolicy

/// Who may know: lines for the person in charge.
extension DaemonLog {
  func write(_ news: AccessNews) {
    switch news {
    case .unidentified(let processID):
      let who = processID.map { "Process \($0)" } ?? "A process that cannot be seen from here"
      line(.warning, "\(who) is a client that the kernel does not vouch for: it is told nothing.")
    case .ignored(let name, let identity, let reason):
      line(
        .information,
        "\(clean(name)) (\(words(identity))) asked to be authorized, and nobody is asked: \(words(reason)).")
    case .switched(let isOn): line(.information, "Location services are switched \(isOn ? "on" : "off").")
    case .cannotKeep(.failed(let reason, _)):
      line(.error, "Who may know cannot be kept or read: \(clean(reason)). It is tried again.")
    case .cannotKeep(.late(let time)):
      line(.error, "Who may know is not kept yet: the disk has not answered for \(time.components.seconds) s.")
    case .keptAgain: line(.information, "Who may know is kept again.")
    case .cannotShow(let reason): line(.error, "That location is used cannot be shown: \(clean(reason)).")
    }
  }

  private func words(_ identity: ClientIdentity) -> String {
    let realm = identity.realm.text
    return "user \(identity.userID)" + (realm.isEmpty ? "" : ", \(clean(realm))")
  }

  private func words(_ reason: IgnoredRequest) -> String {
    switch reason {
    case .noDescription: "it does not say what for"
    case .notInUse: "it is in the background"
    case .allowedOnce: "it is allowed once, which is no step towards always"
    case .full: "as many are known as can be remembered"
    }
  }
}
