import LinuxIO
import LocationPolicy
import LocationdServer

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
    case .lost(let loss, let isOn, let refusals):
      let what =
        switch loss {
        case .damaged(let name): "The file of who may know was damaged, and is set aside as \(clean(name))"
        case .unreadable(.failed(let reason, _)): "The file of who may know cannot be read (\(clean(reason)))"
        case .unreadable(.late): "The file of who may know cannot be read"
        }
      // Root, the group location and the owners of the receivers need no grant, and lose none.
      let exempt =
        if case .unreadable = loss { " for all others than root and the groups location and dialout" } else { "" }
      let state = isOn ? "" : "location services are off\(exempt) until 'locationctl services on' begins anew; "
      line(.error, "\(what): \(state)\(refusals) refusals of before hold, and nothing is granted.")
    case .cannotKeep(.failed(let reason, _)):
      line(.error, "Who may know cannot be kept: \(clean(reason)). It is tried again.")
    case .cannotKeep(.late(let time)):
      line(.error, "Who may know is not kept yet: the disk has not answered for \(time.components.seconds) s.")
    case .keptAgain: line(.information, "Who may know is kept again.")
    case .noGrid(let problem):
      let why =
        switch problem {
        case .damaged(let path, let size): "\(clean(path)) is no key (\(size) bytes), and has to be put back or removed"
        case .system(let path, let errno): "\(clean(path)) cannot be read or made (\(ErrorWords.of(errno)))"
        }
      line(.error, "Nobody is told roughly where this machine is, until a reload finds it mended: \(why).")
    case .cannotShow(let problem):
      let why = ErrorWords.of(problem.errno)
      switch problem.place {
      case .file(let path):
        line(
          .error,
          "\(clean(path)) cannot be written (\(why)), so nobody sees there that location is used: make its folder writable."
        )
      case .light(let path):
        line(
          .error,
          "The light \(clean(path)) cannot be set (\(why)): name in LOCATIOND_LED a folder of /sys/class/leds whose brightness "
            + "locationd may write, as locationd.conf(5) shows.")
      }
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
