import Geodesy
import LocationDaemon
import LocationIPC
import LocationStore

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
  /// Opens a sealed log; `nil`: it is open.
  private var opener: SealedTrackOpener?
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
    host: any ServiceAccess, log: String, from: GNSSTime? = nil, to: GNSSTime? = nil, key: OwnerKey? = nil,
    _ take: @escaping (TrackEntry) -> CommandStatus?
  ) {
    self.host = host
    self.log = log
    range = (from, to)
    opener = key.map { SealedTrackOpener(key: $0, from: from, to: to) }
    self.take = take
  }

  /// Reads it all; `.done`, or how the command ends.
  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.onOutputClosed { [weak self] in self?.end(.done) }
    watchForSilence()
    let isSealed = opener != nil
    host.send(
      .log(
        request,
        isSealed
          ? .readSealed(name: log, from: range.from, to: range.to) : .read(name: log, from: range.from, to: range.to)))
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
    case .log(request, .page(let page)):
      damaged = page.damaged
      take(page.entries, problem: page.problem, next: page.next)
    case .log(request, .sealed(let page)): take(page)
    case .failed(request, let failure): end(Diagnostics.end(FailureSentence(failure)))
    // Answers to what was not asked.
    case .log, .failed, .done, .located, .update, .streamChanged, .sky, .progress, .devices, .status, .heard,
      .authorization, .wifi:
      break
    }
  }

  /// Opens a page, up to what cannot be opened.
  private func take(_ page: SealedPage) {
    var entries: [TrackEntry] = []
    do throws(SealedTrackError) {
      for piece in page.pieces { entries += try opener?.take(piece) ?? [] }
    } catch {
      return end(Diagnostics.end(FailureSentence(error, log: log)))
    }
    damaged = opener.map { $0.damage.blocks + $0.damage.segments + $0.damage.files } ?? 0
    take(entries, problem: page.problem, next: page.next)
  }

  private func take(_ entries: [TrackEntry], problem: LogProblem?, next: LogRequest.Bookmark?) {
    pages += 1
    self.problem = problem
    for entry in entries {
      if let failure = take(entry) { return end(failure) }
    }
    guard let next else { return end(.done) }
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
