import LocationDaemon
import LocationIPC
import LocationPolicy

extension FailureSentence {
  /// What went wrong with a log.
  init(_ failure: LogFailure) {
    switch failure {
    case .unknown(let name, let known):
      let list =
        known.isEmpty
        ? "you have none yet" : "you have \(known.map { TerminalText.sanitized($0) }.joined(separator: ", "))"
      // The same of another user's log: whether that is there is not told.
      self.init(
        "There is no log '\(TerminalText.sanitized(name))' of yours (\(list)): begin it with locationctl log start, or put sudo "
          + "before the command for another user's.", .noSource)
    case .badName(let name):
      self.init("'\(TerminalText.sanitized(name))' cannot be a log's name: take 1 to 64 bytes on one line.", .usage)
    case .needsDaemon:
      self.init(
        "Logs are recorded by locationd, and none answers: start it, as with systemctl start locationd.", .noSource)
    case .tooManyReadings(let limit):
      self.init("This client reads \(limit) logs already: try again when one is done.", .locationUnknown)
    case .tooManyLogs(let limit):
      self.init("There are \(limit) logs already: remove one with locationctl log remove.", .cannotWrite)
    case .unknownBookmark:
      self.init("The location service was restarted while it read the log: try again.", .locationUnknown)
    case .endLost(let name, let problem):
      self.init(
        "Log \(TerminalText.sanitized(name)) is stopped, but the end of it is lost, as \(Self.clause(problem)): make room or "
          + "mend the disk before it is started again.", .cannotWrite)
    case .recordedElsewhere(let name, let processID):
      let process = processID.map { "process \($0)" } ?? "another process"
      self.init(
        "Log \(TerminalText.sanitized(name)) is recorded by \(process), which alone can stop it: name that daemon's socket "
          + "in LOCATIOND_SOCKET, or end it.", .cannotWrite)
    case .sealed(let name, let key):
      self.init(
        "Log \(TerminalText.sanitized(name)) is sealed to \(TerminalText.sanitized(key)): name the file of that secret key "
          + "with --key.", .denied)
    case .notSealed(let name):
      self.init("Log \(TerminalText.sanitized(name)) is not sealed: leave out --key.", .usage)
    case .otherSeal(let name, let key?):
      self.init(
        "Log \(TerminalText.sanitized(name)) is sealed to another key, \(TerminalText.sanitized(key)): take another name, or "
          + "leave out --seal to go on with that key.", .usage)
    case .otherSeal(let name, nil):
      self.init(
        "Log \(TerminalText.sanitized(name)) is there already and is not sealed: take another name, or remove it first.",
        .usage)
    case .badSeal(let text):
      self.init(
        "'\(TerminalText.sanitized(text))' is no key to seal with: give what locationctl log keygen prints.", .usage)
    case .cannotKeep(let path, let reason, let cause):
      self.init(
        "The logs in \(TerminalText.sanitized(path)) cannot be kept (\(TerminalText.sanitized(reason))): "
          + "\(Self.remedy(cause)).", cause == .busy ? .locationUnknown : .cannotWrite)
    }
  }

  static func remedy(_ cause: StorageCause) -> String {
    switch cause {
    case .noRoom: "make room on that disk"
    case .readOnly: "mount that file system to be written, or name another folder in LOCATIOND_STATE"
    case .denied: "ask as a user who may write there, such as by sudo, or through the daemon"
    case .diskError: "look into the kernel's log (dmesg), and exchange the disk"
    case .damaged: "restart locationd, which sets a damaged index aside and finds the tracks again"
    case .laterVersion: "use the version that wrote them, or a later one"
    case .busy: "try again in a moment"
    case .other: "make that folder readable and writable, or name another one in LOCATIOND_STATE"
    }
  }

  /// Why a log is not recorded, as a clause.
  static func clause(_ problem: LogProblem) -> String {
    switch problem {
    case .noRoom(let free, let needed): "\(LogTable.size(free)) are free, and \(LogTable.size(needed)) have to be"
    case .inUse: "another process writes to it"
    case .cannotWrite(let errno): "it cannot be written (\(ErrorWords.of(errno)))"
    case .notAllowed: "its owner may not know where this machine is, as locationctl grants shows"
    }
  }
}
