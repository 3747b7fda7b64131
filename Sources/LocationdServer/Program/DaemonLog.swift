import Diagnosis
import LinuxIO
import LocationIPC
import LocationdClient
import LocationdConfiguration
import LocationdHost
import LocationdRecords
import LocationdService

/// The daemon's log: one line per event on stderr, with its priority in front if stderr is the journal.
///
/// The service must not block when its log is not read: a line that would block is dropped and counted.
final class DaemonLog: DaemonLogWriter {
  private let isJournal: Bool
  /// Lines of a lower priority are omitted. Clients that connect and disconnect are logged only at `debug`: otherwise
  /// untrusted clients could fill the journal, whose rate limit for a service counts lines of every priority.
  private var level: LogLevel
  private var leftOut = 0
  /// The ports that could not be opened, each with the problem that was last reported.
  private var notOpened: [String: OpenProblem] = [:]
  private static let mostNotOpened = 256

  init(isJournal: Bool = ServiceVariables.isJournal, level: LogLevel = .info) {
    self.isJournal = isJournal
    self.level = level
  }

  func write(_ event: DaemonEvent) {
    switch event {
    case .listening(let place, let source): line(.notice, "Listening at \(place); source of location: \(source).")
    case .clientJoined(let name, let pid): line(.debug, "\(client(name, pid)) connected.")
    case .clientLeft(let name, let pid, nil): line(.debug, "\(client(name, pid)) disconnected.")
    case .clientLeft(let name, let pid, .stopping?):
      line(.debug, "\(client(name, pid)) was disconnected: locationd is stopping.")
    case .clientLeft(let name, let pid, let reason?):
      line(.warning, "\(client(name, pid)) was disconnected: \(words(reason)).")
    case .cannotAccept(let reason): line(.error, "Cannot accept a client: \(reason).")
    case .device(.appeared(let path)): line(.info, "\(clean(path)) was plugged in.")
    case .device(.vanished(let path)):
      notOpened[path] = nil
      line(.info, "\(clean(path)) was unplugged.")
    case .device(.opened(let path)):
      notOpened[path] = nil
      line(.info, "\(clean(path)) is open.")
    case .device(.closed(let path)): line(.info, "\(clean(path)) is closed.")
    case .device(.notOpened(let path, let problem)):
      // A port is tried again every second; therefore only a different problem is logged.
      guard notOpened[path] != problem else { return }
      if notOpened.count >= Self.mostNotOpened { notOpened = [:] }
      notOpened[path] = problem
      line(.warning, "Cannot open \(clean(path)): \(words(problem)).")
    case .device(.leftChanged(let path, let count)):
      line(.warning, "The receiver on \(clean(path)) did not accept the old values of \(count) of its settings.")
    case .device(.handedOver(let path, .locationd, nil)): line(.info, "gpsd has released \(clean(path)).")
    case .device(.handedOver(let path, .gpsd, nil)): line(.info, "gpsd has taken over \(clean(path)).")
    case .device(.handedOver(let path, .locationd, let problem?)):
      line(.warning, "gpsd has not released \(clean(path)): \(words(problem)).")
    case .device(.handedOver(let path, .gpsd, let problem?)):
      line(.warning, "gpsd has not taken over \(clean(path)): \(words(problem)).")
    case .monitoring(let event): write(event)
    case .launch(let event): write(event)
    case .log(.recording(let name, nil)): line(.info, "Recording log \(clean(name)).")
    case .log(.recording(let name, let problem?)):
      line(.error, "Cannot record log \(clean(name)): \(words(problem)).")
    case .log(.stopped(let name)): line(.info, "Stopped recording log \(clean(name)).")
    case .log(.missed(let fixes)):
      line(
        .error,
        "\(CountedNoun.text(fixes, "fix", "fixes")) \(fixes == 1 ? "was" : "were") not recorded, because the disk is too slow."
      )
    case .log(.endLost(let name, let problem)):
      line(.error, "The last part of log \(clean(name)) could not be stored and is lost: \(words(problem)).")
    case .log(.setAside(let name)):
      line(.error, "The index of logs was damaged: it was renamed to \(clean(name)), and a new one was created.")
    case .log(.adopted(let name, let isRecorded)):
      let state = isRecorded ? "recording continues" : "it is stopped"
      line(.warning, "Log \(clean(name)) was missing from the index and was restored from its tracks: \(state).")
    case .log(.cannotKeep(let path, let reason)):
      line(.error, "Cannot read or write the logs in \(clean(path)): \(clean(reason)).")
    case .access(let event): write(event)
    case .network(let event): write(event)
    case .time(let event): write(event)
    case .fleet(let event): write(event)
    case .reached(let bound): line(.warning, bound.sentence)
    case .reloaded(let change, let problems, let level):
      self.level = level
      write(change, problems)
    case .reloadRefused(let problems): refuse(problems)
    case .stopping: line(.notice, "Stopping.")
    case .ended: line(.notice, "Stopped.")
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
        "Another locationd\(process) uses the state folder \(clean(path)): stop it, or set LOCATIOND_STATE to another folder."
      )
    case .stateUnwritable(let path, let errno):
      line(
        .error,
        "Cannot write the state folder \(clean(path)) (\(ErrorDescription.of(errno))): set LOCATIOND_STATE to a folder that this user may "
          + "write.")
    case .stateOpenToOthers(let path, let distrust):
      line(
        .error,
        "The state folder \(clean(path)) \(words(distrust)), who could grant access to the location: make the user who runs "
          + "locationd its owner, with mode 700, or set LOCATIOND_STATE to another folder.")
    case .system(_, let errno) where SystemErrorKind(errno) == .inUse:
      line(.error, "Another locationd uses that socket: stop it, or set LOCATIOND_SOCKET to another socket.")
    case .system(let operation, let errno):
      line(
        .error,
        "Cannot \(operation) (\(ErrorDescription.of(errno))): set LOCATIOND_SOCKET to a place that "
          + "this user may write, or try again later.")
    case .barred(let socket, _, let errno):
      line(.error, "Cannot connect to the location service at \(clean(socket)) (\(ErrorDescription.of(errno))).")
    }
  }

  private func client(_ name: String, _ pid: Int32?) -> String {
    "Client \(clean(name.isEmpty ? "?" : name))" + (pid.map { " (process \($0))" } ?? "")
  }

  private func words(_ problem: OpenProblem) -> String {
    switch problem {
    case .lockedByOwn(let pid): "another program of this package uses it" + (pid.map { " (process \($0))" } ?? "")
    case .inUse(.process(let pid, let name)): "\(clean(name)) uses it (process \(pid))"
    case .inUse: "another program uses it"
    case .permissionDenied(let group):
      "this user may not open it" + (group.map { ", but the group \(clean($0)) may" } ?? "")
    case .cannotOpen(.doesNotExist), .cannotOpen(.vanished): "it does not exist"
    case .cannotOpen(.isDirectory), .cannotOpen(.isRegularFile), .cannotOpen(.isFIFO), .cannotOpen(.isNotSerialPort):
      "it is not a serial port"
    case .cannotOpen(.system(let operation, let errno)): "\(ErrorDescription.of(errno)), at \(clean(operation))"
    case .cannotOpen(.notConnected(let failure)): words(failure)
    }
  }

  private func words(_ failure: NetworkFailure) -> String {
    switch failure {
    case .noSuchHost: "the host name is unknown"
    case .unreachable: "the other side cannot be reached"
    case .notTrusted: "the certificate of the other side is not trusted"
    case .tooLate: "the other side does not accept the connection in time"
    case .closed: "the other side closed the connection"
    case .silent: "the other side sends nothing"
    }
  }

  private func words(_ reason: DisconnectReason) -> String {
    switch reason {
    case .unsupportedVersion(let oldest, let newest): "it supports none of the protocol versions \(oldest) to \(newest)"
    case .brokenProtocol: "it sent an invalid message"
    case .tooQuiet: "it sent no message in time"
    case .tooManyMessages(let limit): "it sent more than \(limit) messages a second"
    case .tooManyClients(let limit): "there are already \(limit) clients"
    case .tooSlow: "it did not read what locationd sent"
    case .stopping: "locationd is stopping"
    }
  }

  private func words(_ problem: HandoverProblem) -> String {
    switch problem {
    case .denied(let socket): "this user may not use \(clean(socket))"
    case .noSocket(let socket): "no program listens at \(clean(socket))"
    case .refused: "gpsd refused"
    case .noAnswer: "gpsd did not answer"
    case .elsewhere(let gpsd): "gpsd is on another machine, \(clean(gpsd))"
    case .unminded: "the setting 'gpsd' (LOCATIOND_GPSD) is 'off'"
    }
  }

  private func words(_ problem: LogProblem) -> String {
    switch problem {
    case .noRoom(let free, let needed): "only \(free) bytes are free, and \(needed) are required"
    case .inUse: "another process is writing to it"
    case .cannotWrite(let errno): ErrorDescription.of(errno)
    case .notAllowed: "its owner has no access to the location"
    }
  }

  /// Replaces characters that could control a terminal, because names come from untrusted sources.
  func clean(_ text: String, limit: Int = 200) -> String {
    let scalars = text.unicodeScalars.prefix(limit).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }
    return String(String.UnicodeScalarView(scalars))
  }

  func line(_ priority: LogLevel, _ text: String) {
    guard priority <= level else { return }
    let note = leftOut > 0 ? " (\(leftOut) earlier lines were left out.)" : ""
    let line = Array("\(isJournal ? "<\(priority.rawValue)>" : "locationd: ")\(text)\(note)\n".utf8)
    leftOut = StandardError.offer(line) ? 0 : leftOut + 1
  }
}
