import Diagnosis
import LinuxIO
import LocationIPC
import LocationdClient
import LocationdHost
import LocationdRecords
import LocationdServer
import LocationdService

/// The daemon's log: a line an event on stderr, with its priority in front where that is the journal.
///
/// A service must not stand still because nobody reads its log: a line that would have to wait is left out and counted.
final class DaemonLog {
  enum Priority: Int {
    case error = 3
    case warning = 4
    case information = 6
    case debug = 7
  }

  private let isJournal: Bool
  /// Whether clients that come and go are worth a line each: strangers could fill the journal otherwise, whose bound for a
  /// service counts lines of every priority.
  private let isDebugging: Bool
  private var leftOut = 0
  /// The ports that could not be opened, each with the problem that was reported last.
  private var notOpened: [String: OpenProblem] = [:]
  private static let mostNotOpened = 256

  init(isJournal: Bool = ServiceVariables.isJournal, isDebugging: Bool = ServiceVariables.isDebugging) {
    self.isJournal = isJournal
    self.isDebugging = isDebugging
  }

  func write(_ news: DaemonNews) {
    switch news {
    case .listening(let place, let source): line(.information, "Listening at \(place), location from \(source).")
    case .clientJoined(let name, let pid): line(.debug, "\(client(name, pid)) has come.")
    case .clientLeft(let name, let pid, nil): line(.debug, "\(client(name, pid)) has gone.")
    case .clientLeft(let name, let pid, .stopping?): line(.debug, "\(client(name, pid)) was told that this ends.")
    case .clientLeft(let name, let pid, let reason?):
      line(.warning, "\(client(name, pid)) was let go: \(words(reason)).")
    case .cannotAccept(let reason): line(.error, "A client could not be taken on: \(reason).")
    case .device(.appeared(let path)): line(.information, "\(clean(path)) is there.")
    case .device(.vanished(let path)):
      notOpened[path] = nil
      line(.information, "\(clean(path)) has gone.")
    case .device(.opened(let path)):
      notOpened[path] = nil
      line(.information, "\(clean(path)) is open.")
    case .device(.closed(let path)): line(.information, "\(clean(path)) is closed.")
    case .device(.notOpened(let path, let problem)):
      // A port is tried again every second: only another problem is worth another line.
      guard notOpened[path] != problem else { return }
      if notOpened.count >= Self.mostNotOpened { notOpened = [:] }
      notOpened[path] = problem
      line(.warning, "\(clean(path)) could not be opened: \(words(problem)).")
    case .device(.leftChanged(let path, let count)):
      line(.warning, "\(count) settings of the receiver on \(clean(path)) would not be put back.")
    case .device(.handedOver(let path, .locationd, nil)): line(.information, "gpsd has let go of \(clean(path)).")
    case .device(.handedOver(let path, .gpsd, nil)): line(.information, "gpsd has taken up \(clean(path)).")
    case .device(.handedOver(let path, .locationd, let problem?)):
      line(.warning, "gpsd has not let go of \(clean(path)): \(words(problem)).")
    case .device(.handedOver(let path, .gpsd, let problem?)):
      line(.warning, "gpsd has not taken up \(clean(path)): \(words(problem)).")
    case .monitoring(let news): write(news)
    case .launch(let news): write(news)
    case .log(.recording(let name, nil)): line(.information, "Log \(clean(name)) is recorded.")
    case .log(.recording(let name, let problem?)):
      line(.error, "Log \(clean(name)) cannot be recorded: \(words(problem)).")
    case .log(.stopped(let name)): line(.information, "Log \(clean(name)) is recorded no more.")
    case .log(.missed(let fixes)):
      line(.error, "\(fixes) fixes were not recorded, as the disk did not keep up.")
    case .log(.endLost(let name, let problem)):
      line(.error, "The end of log \(clean(name)) is lost: \(words(problem)).")
    case .log(.setAside(let name)):
      line(.error, "The index of logs was damaged; it was set aside as \(clean(name)), and a new one begun.")
    case .log(.adopted(let name, let isRecorded)):
      let state = isRecorded ? "it goes on" : "it is stopped"
      line(.warning, "Log \(clean(name)) was lost from the index and found again by its tracks: \(state).")
    case .log(.cannotKeep(let path, let reason)):
      line(.error, "The logs in \(clean(path)) cannot be read or written: \(clean(reason)).")
    case .access(let news): write(news)
    case .reached(let bound): line(.warning, bound.sentence)
    case .reloaded: line(.information, "Taken up what has changed.")
    case .stopping: line(.information, "Ending.")
    case .ended: line(.information, "Ended.")
    }
  }

  func write(_ error: HostError) {
    switch error {
    case .noSuchFile(let path): line(.error, "There is no file \(clean(path)).")
    case .badFile(let path, let reason): line(.error, "\(clean(path)) cannot be played: \(clean(reason)).")
    case .stateInUse(let path, let processID):
      let process = processID.map { " (process \($0))" } ?? ""
      line(
        .error,
        "Another locationd\(process) keeps its state in \(clean(path)): end it, or name another folder in LOCATIOND_STATE."
      )
    case .stateUnwritable(let path, let errno):
      line(
        .error,
        "Cannot write state folder \(clean(path)) (\(ErrorWords.of(errno))): name a folder in LOCATIOND_STATE that this user may "
          + "write.")
    case .stateOpenToOthers(let path, let distrust):
      line(
        .error,
        "The state folder \(clean(path)) \(words(distrust)), who could grant access to this machine's location: make this user its "
          + "owner with mode 700, or name another folder in LOCATIOND_STATE.")
    case .system(_, let errno) where SystemErrorKind(errno) == .inUse:
      line(.error, "Another locationd serves at that socket: end it, or name another socket in LOCATIOND_SOCKET.")
    case .system(let operation, let errno):
      line(
        .error,
        "The system refused to \(operation) (\(ErrorWords.of(errno))): name a place for the socket in LOCATIOND_SOCKET that "
          + "this user may write, or try again later.")
    case .barred(let socket, _, let errno):
      line(.error, "The service at \(clean(socket)) cannot be reached (\(ErrorWords.of(errno))).")
    }
  }

  private func client(_ name: String, _ pid: Int32?) -> String {
    "Client \(clean(name.isEmpty ? "?" : name))" + (pid.map { " (process \($0))" } ?? "")
  }

  private func words(_ problem: OpenProblem) -> String {
    switch problem {
    case .lockedByOwn(let pid): "another program of this package has it" + (pid.map { " (process \($0))" } ?? "")
    case .inUse(.process(let pid, let name)): "\(clean(name)) has it (process \(pid))"
    case .inUse: "another program has it"
    case .permissionDenied(let group): "this user may not" + (group.map { ", the group \(clean($0)) may" } ?? "")
    case .cannotOpen(.doesNotExist), .cannotOpen(.vanished): "it is not there"
    case .cannotOpen(.isDirectory), .cannotOpen(.isRegularFile), .cannotOpen(.isFIFO), .cannotOpen(.isNotSerialPort):
      "it is no serial port"
    case .cannotOpen(.system(let operation, let errno)): "\(ErrorWords.of(errno)), at \(clean(operation))"
    }
  }

  private func words(_ reason: Refusal) -> String {
    switch reason {
    case .unsupportedVersion(let oldest, let newest): "it speaks none of the versions \(oldest) to \(newest)"
    case .brokenProtocol: "it sent what is no message"
    case .tooQuiet: "its message did not come"
    case .tooManyMessages(let limit): "it sent more than \(limit) messages a second"
    case .tooManyClients(let limit): "there are \(limit) clients already"
    case .tooSlow: "it does not read"
    case .stopping: "this ends"
    }
  }

  private func words(_ problem: HandoverProblem) -> String {
    switch problem {
    case .denied(let socket): "this user may not use \(clean(socket))"
    case .noSocket(let socket): "nobody listens at \(clean(socket))"
    case .refused: "it was asked, and did not"
    case .noAnswer: "it did not answer"
    case .elsewhere(let gpsd): "it is on another machine, \(clean(gpsd))"
    case .unminded: "no gpsd is to be minded"
    }
  }

  private func words(_ problem: LogProblem) -> String {
    switch problem {
    case .noRoom(let free, let needed): "\(free) bytes are free, and \(needed) have to be"
    case .inUse: "another process writes to it"
    case .cannotWrite(let errno): ErrorWords.of(errno)
    case .notAllowed: "its owner may not know where this machine is"
    }
  }

  /// Names come from outside: what could steer a terminal is left out.
  func clean(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(200).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }
    return String(String.UnicodeScalarView(scalars))
  }

  func line(_ priority: Priority, _ text: String) {
    guard priority != .debug || isDebugging else { return }
    let note = leftOut > 0 ? " (\(leftOut) lines before were left out.)" : ""
    let line = Array("\(isJournal ? "<\(priority.rawValue)>" : "locationd: ")\(text)\(note)\n".utf8)
    leftOut = StandardError.offer(line) ? 0 : leftOut + 1
  }
}
