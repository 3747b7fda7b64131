import LinuxIO
import LocationPolicy
import LocationdConfiguration

/// Log lines about access, for the administrator.
extension DaemonLog {
  func write(_ event: AccessEvent) {
    switch event {
    case .unidentified(let processID):
      line(
        .warning,
        processID.map { "Process \($0) gets no location, because locationd cannot identify it through the kernel." }
          ?? "A process outside of locationd's PID namespace gets no location, because locationd cannot identify it.")
    case .ignored(let name, let identity, let reason):
      line(
        .info,
        "\(clean(name)) (\(words(identity))) requested access, and no prompt was shown: \(words(reason)).")
    case .switched(let isOn): line(.info, "Location services are now \(isOn ? "on" : "off").")
    case .lost(let loss, let isOn, let refusals):
      let what =
        switch loss {
        case .damaged(let name): "The file of access decisions was damaged and was renamed to \(clean(name))"
        case .unreadable(.failed(let reason, _)): "Cannot read the file of access decisions (\(clean(reason)))"
        case .unreadable(.late): "Cannot read the file of access decisions"
        }
      let consequence =
        switch loss {
        case .damaged:
          (isOn ? "" : "location services are off for everybody until you run 'sudo locationctl services on'; ")
            + "\(CountedNoun.text(refusals, "earlier refusal")) \(refusals == 1 ? "stays" : "stay") in force, and all grants are lost"
        // These users need no grant; therefore they lose no access.
        case .unreadable:
          "only root and members of the groups location, dialout and uucp have access until locationd restarts and can "
            + "read the file, or until you run 'sudo locationctl services on', which ignores the stored decisions"
        }
      line(.error, "\(what): \(consequence).")
    case .cannotKeep(.failed(let reason, _)):
      line(.error, "Cannot store access decisions: \(clean(reason)). Trying again.")
    case .cannotKeep(.late(let time)):
      line(.error, "Access decisions are not stored yet: the disk has not answered for \(time.components.seconds) s.")
    case .keptAgain: line(.info, "Access decisions can be stored again.")
    case .noGrid(let problem):
      let (why, remedy) =
        switch problem {
        case .damaged(let path, let size):
          ("\(clean(path)) is not a key (\(CountedNoun.text(size, "byte")))", "restore or remove the file")
        case .system(let path, let errno):
          ("\(clean(path)) cannot be read or created (\(ErrorDescription.of(errno)))", "correct that")
        }
      line(
        .error,
        "\(why), so clients with approximate access get no location: \(remedy), then run 'sudo systemctl reload locationd'."
      )
    case .cannotShow(let problem):
      let why = ErrorDescription.of(problem.errno)
      switch problem.place {
      case .file(let path):
        line(
          .error,
          "Cannot write \(clean(path)) (\(why)), so this file does not show that location is used: make its folder writable."
        )
      case .light(let path):
        line(
          .error,
          "Cannot set the light \(clean(path)) (\(why)): set 'led' (LOCATIOND_LED) to a folder of /sys/class/leds whose brightness "
            + "locationd may write; see locationd.conf(5).")
      }
    }
  }

  private func words(_ identity: ClientIdentity) -> String {
    let realm = identity.realm.text
    return "user \(identity.userID)" + (realm.isEmpty ? "" : ", \(clean(realm))")
  }

  private func words(_ reason: IgnoredRequest) -> String {
    switch reason {
    case .noDescription: "it gives no reason (no usage description)"
    case .notInUse: "it is in the background"
    case .allowedOnce: "it has access for one use only, which cannot be extended to the background"
    case .full: "the list of access decisions is full"
    }
  }
}
