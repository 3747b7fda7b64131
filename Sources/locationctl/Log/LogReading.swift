import Geodesy
import LocationDaemon
import LocationIPC

/// One reading of a log, from the first page to the last, as any command does it that wants a track.
final class LogReading {
  /// Where no answer comes.
  static let remedy = "its disk may hang, which 'dmesg' would tell; try again later"
  /// From one page to the next.
  private static let patience: Duration = .seconds(60)
  /// Pages that are asked for as fast as they come; the service lets go a client that asks more than 200 times a second for
  /// long, and has others to serve.
  private static let hurry = 100
  private static let interval: Duration = .milliseconds(8)

  private let host: any ServiceAccess
  private let log: String
  private let range: (from: GNSSTime?, to: GNSSTime?)
  /// Takes each entry; how the command ends where it cannot.
  private let take: (TrackEntry) -> CommandStatus?
  private var request = RequestID(1)
  private var pages = 0
  private var status: CommandStatus?
  /// Blocks and files that were left out, as they do not hold what was written.
  private(set) var damaged = 0
  /// Why the log is not recorded now.
  private var problem: LogProblem?

  init(
    host: any ServiceAccess, log: String, from: GNSSTime? = nil, to: GNSSTime? = nil,
    _ take: @escaping (TrackEntry) -> CommandStatus?
  ) {
    self.host = host
    self.log = log
    range = (from, to)
    self.take = take
  }

  /// Reads it all; `.done`, or how the command ends.
  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.onOutputClosed { [weak self] in self?.end(.done) }
    watchForSilence()
    host.send(.log(request, .read(name: log, from: range.from, to: range.to)))
    // The host holds this reading weakly.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.say("The service gave no answer: \(Self.remedy).")
      return .protocolError
    }
    if damaged > 0 {
      Diagnostics.say(
        "\(damaged) block\(damaged == 1 ? "" : "s") of the log cannot be read: they are left out, and the track is "
          + "interrupted there.")
    }
    if let problem {
      Diagnostics.say(
        "Log \(TerminalText.sanitized(log)) is not recorded now, as \(FailureSentence.clause(problem)): its last fixes are "
          + "missing.")
    }
    return status
  }

  private func watchForSilence() {
    host.setTimer(after: Self.patience) { [weak self, pages] in
      guard let self, status == nil else { return }
      if self.pages == pages { host.stop() } else { watchForSilence() }
    }
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .log(request, .page(let page)): take(page)
    case .failed(request, let failure): end(Diagnostics.end(FailureSentence(failure)))
    // Answers to what was not asked.
    case .log, .failed, .done, .located, .update, .streamChanged, .sky, .progress, .devices, .status, .heard,
      .authorization:
      break
    }
  }

  private func take(_ page: LogPage) {
    pages += 1
    damaged = page.damaged
    problem = page.problem
    for entry in page.entries {
      if let failure = take(entry) { return end(failure) }
    }
    guard let next = page.next else { return end(.done) }
    request = RequestID(request.rawValue &+ 1)
    guard pages >= Self.hurry else { return host.send(.log(request, .readOn(next))) }
    host.setTimer(after: Self.interval) { [weak self] in
      guard let self, status == nil else { return }
      host.send(.log(request, .readOn(next)))
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
