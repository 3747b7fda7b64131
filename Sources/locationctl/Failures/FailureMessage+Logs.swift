import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdConfiguration

extension FailureMessage {
  /// Why a log request failed.
  init(_ failure: LogFailure) {
    switch failure {
    case .unknown(let name, let known): self.init(unknownLog: name, known, isRoot: ProcessEnvironment.userID == 0)
    case .badName(let name):
      self.init(
        "'\(TerminalText.sanitized(name))' cannot be the name of a log: use letters, digits, '.', '_' and '-', at most \(LocationPolicy.LogName.maximumLength) "
          + "bytes, and begin with a letter, a digit or '_'.", .usage)
    case .needsDaemon:
      self.init(
        "locationd is not running, and only locationd records logs: start it with 'sudo systemctl start locationd'.",
        .noSource)
    case .tooManyReadings(let limit):
      self.init(
        "This program is already reading \(limit) logs, which is the limit: try again when it has finished one of them.",
        .locationUnknown)
    case .tooManyLogs(let limit):
      self.init(
        "There are already \(limit) logs, which is the limit: remove one with 'locationctl log remove'.", .cannotWrite)
    case .unknownBookmark:
      self.init("The location service was restarted while the log was being read: try again.", .locationUnknown)
    case .endLost(let name, let problem):
      self.init(
        "Log \(TerminalText.sanitized(name)) is stopped, but the last part of it could not be stored and is lost "
          + "(\(Self.clause(problem))): make room on the disk or repair the disk before you start the log again.",
        .cannotWrite)
    case .recordedElsewhere(let name, let processID):
      let process = processID.map { "process \($0)" } ?? "another process"
      self.init(
        "Log \(TerminalText.sanitized(name)) is being recorded by \(process), and only that process can stop it: set LOCATIOND_SOCKET to the socket of that process, "
          + "or end that process.", .cannotWrite)
    case .sealed(let name, let key):
      self.init(
        "Log \(TerminalText.sanitized(name)) is encrypted for the key \(TerminalText.sanitized(key)): use --key with the file of the "
          + "matching secret key.", .denied)
    case .notSealed(let name):
      self.init("Log \(TerminalText.sanitized(name)) is not encrypted: leave out --key.", .usage)
    case .differentPublicKey(let name, let key?):
      self.init(
        "Log \(TerminalText.sanitized(name)) is encrypted for another key, \(TerminalText.sanitized(key)): use another name, or "
          + "leave out --seal to continue with that key.", .usage)
    case .differentPublicKey(let name, nil):
      self.init(
        "Log \(TerminalText.sanitized(name)) exists already and is not encrypted: use another name, or remove it first.",
        .usage)
    case .invalidPublicKey(let text):
      self.init(
        "'\(TerminalText.sanitized(text))' is not a public key: use what 'locationctl log keygen' prints.", .usage)
    case .nameTaken(let name):
      self.init("There is a log '\(TerminalText.sanitized(name))' already: use another name.", .usage)
    case .badNote(let limit): self.init("A note is one line of 1 to \(limit) bytes.", .usage)
    case .noPosition(let name):
      self.init(
        "A note needs a position, and log \(TerminalText.sanitized(name)) has none yet: try again when it has one (see "
          + "'locationctl log list').", .locationUnknown)
    case .tooManyNotes(let name, let limit):
      self.init(
        "Log \(TerminalText.sanitized(name)) has \(limit) notes, which is the limit: continue with a new log.",
        .cannotWrite)
    case .full(let name, let megabytes):
      self.init(
        "Log \(TerminalText.sanitized(name)) keeps at most \(megabytes) MB, and has no room for more imported points: raise the limit with "
          + "--keep of 'locationctl log start', or import into another log.", .cannotWrite)
    case .importedElsewhere(let name):
      self.init(
        "Another process is importing into log \(TerminalText.sanitized(name)): try again when it has finished.",
        .locationUnknown
      )
    case .tooManyImports(let limit):
      self.init(
        "\(limit) imports are still unfinished, which is the limit: try again when one has finished.", .locationUnknown)
    case .cannotKeep(let path, let reason, let cause):
      self.init(
        "Cannot store the logs in \(TerminalText.sanitized(path)) (\(TerminalText.sanitized(reason))): "
          + "\(Self.remedy(cause)).", cause == .busy ? .locationUnknown : .cannotWrite)
    }
  }

  /// There is no log of that name, or another user's, for which the message is the same, so that its existence is not revealed.
  ///
  /// - Parameters:
  ///   - known: the names of the logs to which the user has access.
  ///   - isRoot: whether the user has access to every log.
  package init(unknownLog name: String, _ known: [String], isRoot: Bool) {
    let shown = TerminalText.sanitized(name)
    var text = isRoot ? "There is no log named '\(shown)'" : "You have no log named '\(shown)'"
    let near = Suggestion.nearest(to: name, in: known)
    if let near { text += ": did you mean '\(TerminalText.sanitized(near))'?" }
    let names = known.map { TerminalText.sanitized($0) }
    switch (names.count, near) {
    case (0, _): text += ": 'locationctl log start' starts a log"
    case (1, nil): text += ": the only log is '\(names[0])'"
    case (1, _): break
    case (_, nil): text += ": the logs are \(names.joined(separator: ", "))"
    case (_, _?): text += " (the logs are \(names.joined(separator: ", ")))"
    }
    if !isRoot { text += near == nil ? "; with sudo, you can use another user's log" : "" }
    self.init(text.hasSuffix("?") ? text : text + ".", .noSource)
  }

  static func remedy(_ cause: StorageCause) -> String {
    switch cause {
    case .noRoom: "make room on that disk"
    case .readOnly: "mount that file system writable, or set LOCATIOND_STATE to another folder"
    case .denied: "run the command as a user who may write there, for example with sudo, or start locationd"
    case .diskError: "see the kernel's log (dmesg), and replace the disk"
    case .damaged: "restart locationd, which renames the damaged index and finds the tracks again"
    case .laterVersion: "use the version of locationd that wrote them, or a later one"
    case .busy: "try again in a moment"
    case .other: "make that folder readable and writable, or set LOCATIOND_STATE to another folder"
    }
  }

  /// Why a log is not being recorded, as a clause.
  static func clause(_ problem: LogProblem) -> String {
    switch problem {
    case .noRoom(let free, let needed):
      "only \(LogTable.size(free)) are free, and \(LogTable.size(needed)) are required"
    case .inUse: "another process is writing to it"
    case .cannotWrite(let errno): "it cannot be written (\(ErrorDescription.of(errno)))"
    case .notAllowed: "its owner has no access to the location in the background (see 'locationctl grants')"
    }
  }
}

extension FailureMessage {
  /// Why an encrypted log could not be decrypted.
  init(_ error: EncryptedTrackError, log: String) {
    switch error {
    case .otherKey(let owner):
      self.init(
        "Log \(TerminalText.sanitized(log)) is encrypted for \(owner.text), and the given secret key does not match: use --key with "
          + "the file of the matching secret key.", .denied)
    }
  }
}
