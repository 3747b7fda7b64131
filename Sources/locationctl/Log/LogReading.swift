import Geodesy
import LocationIPC
import LocationStore
import LocationdClient

/// Reads a log from the first page to the last, for any command that needs a track.
final class LogReading {
  private let host: any ServiceAccess
  private let log: String
  private let range: (from: GNSSTime?, to: GNSSTime?)
  /// Decrypts an encrypted log; `nil`: the log is not encrypted.
  private var opener: SealedTrackOpener?
  /// Processes each entry; returns the exit status if it cannot go on.
  private let take: (TrackEntry) -> CommandStatus?
  /// The number of blocks and files that were skipped because they are damaged.
  private(set) var damaged = 0
  /// Why the log is not being recorded now.
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

  /// Reads the whole log; returns `.done`, or the exit status of the failure.
  func execute() -> CommandStatus {
    let (log, range) = (log, range)
    let first: LogRequest =
      opener != nil
      ? .readSealed(name: log, from: range.from, to: range.to) : .read(name: log, from: range.from, to: range.to)
    let status = Conversation(host).execute(first: { .log($0, first) }) { self.step(after: $0) }
    if damaged > 0 {
      Diagnostics.print(
        "\(damaged) block\(damaged == 1 ? " of the log is damaged and was" : "s of the log are damaged and were") left out: the track "
          + "has a gap there.")
    }
    if let problem {
      Diagnostics.print(
        "Log \(TerminalText.sanitized(log)) is not being recorded now (\(FailureMessage.clause(problem))): its last fixes are "
          + "missing.")
    }
    return status
  }

  private func step(after event: ServiceEvent) -> Conversation.Step {
    guard case .log(_, let answer) = event else { return Conversation.misunderstood() }
    if case .sealed(let page) = answer { return take(page) }
    guard case .page(let page) = answer else { return Conversation.misunderstood() }
    damaged = page.damaged
    return take(page.entries, problem: page.problem, next: page.next)
  }

  /// Decrypts a page, up to the first piece that cannot be decrypted.
  private func take(_ page: SealedPage) -> Conversation.Step {
    var entries: [TrackEntry] = []
    do throws(SealedTrackError) {
      for piece in page.pieces { entries += try opener?.take(piece) ?? [] }
    } catch {
      return .end(Diagnostics.report(FailureMessage(error, log: log)))
    }
    damaged = opener.map { $0.damage.blocks + $0.damage.segments + $0.damage.files } ?? 0
    return take(entries, problem: page.problem, next: page.next)
  }

  private func take(_ entries: [TrackEntry], problem: LogProblem?, next: LogRequest.Bookmark?) -> Conversation.Step {
    self.problem = problem
    for entry in entries {
      if let failure = take(entry) { return .end(failure) }
    }
    guard let next else { return .end(.done) }
    return .ask { .log($0, .readOn(next)) }
  }
}
