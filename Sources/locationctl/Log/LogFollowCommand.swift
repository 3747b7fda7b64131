import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdService
import TrackFormats

extension LogCommand {
  struct Follow: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "follow", abstract: "Print each fix of a log when it is recorded.",
      discussion: """
        The command also continues when locationd restarts and while the log is stopped. It ends when you interrupt it or when the \
        program that reads its output ends. An encrypted log is printed when its blocks are written, about every half minute.
        """)
    @OptionGroup var log: LogName
    @Option(
      help: ArgumentHelp("Print the fixes since this time first.", valueName: "time"),
      transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Option(
      name: [.customShort("n"), .long], help: ArgumentHelp("End after this many fixes.", valueName: "number"),
      transform: { try Bounds.count($0) })
    var count: Int?
    @OptionGroup var owner: KeyOption
    @OptionGroup var style: StyleOptions
    @OptionGroup var plain: PlainOption

    func execute() -> CommandStatus {
      do throws(FailureMessage) {
        let key = try owner.read()
        return CommandSession.withDaemon(orFail: FailureMessage(LogFailure.needsDaemon)) { session in
          LogFollowing(
            session, log: log.name, from: from, key: key, style: style.style(forPeople: Results.areForPeople),
            count: count
          ).run()
        }
      } catch {
        return Diagnostics.report(error)
      }
    }
  }
}

/// Prints the entries that are recorded in a log, until standard output is closed, a limit is reached or a signal
/// arrives. Each page is requested when the previous one has been printed; the service answers when there are new
/// entries.
private final class LogFollowing: CommandHandler {
  let session: CommandSession
  private let log: String
  /// The time from which entries are printed, at first and after a restart of the service; `nil`: only new entries are
  /// printed.
  private var from: GNSSTime?
  private let key: OwnerKey?
  private var opener: EncryptedTrackDecryptor?
  private let count: Int?
  private var writer: StreamWriter
  private var isOpened = false
  private var printed = 0
  private var lastTime: GNSSTime?
  private var request = RequestID(0)
  private var problem: LogProblem?

  init(
    _ session: CommandSession, log: String, from: GNSSTime?, key: OwnerKey?, style: OutputStyle, count: Int?
  ) {
    (self.session, self.log, self.from, self.key, self.count) = (session, log, from, key, count)
    writer = StreamWriter(style, .ofFixes)
    // The blocks of an encrypted log can only be decrypted from the beginning of a segment, so that earlier entries
    // arrive, too: leave them out.
    if key != nil, from == nil { self.from = WallClock.now() }
  }

  func start() {
    session.endWhenOutputCloses()
    send(.list)
    begin()
  }

  private func send(_ request: LogRequest) {
    self.request = RequestID(self.request.rawValue &+ 1)
    session.send(.log(self.request, request), for: self) { message in
      if case .log(_, let answer) = message { return .reply(answer) }
      if case .failed(_, let failure) = message { return .failed(failure) }
      return nil
    }
  }

  private func begin() {
    opener = key.map { EncryptedTrackDecryptor(key: $0, from: from) }
    send(key == nil ? .follow(name: log, from: from) : .followSealed(name: log, from: from))
  }

  func receive(_ answer: LogAnswer, to request: RequestID) {
    switch answer {
    case .logs(let logs):
      guard let found = logs.first(where: { $0.name == log }), !found.isRunning else { return }
      Diagnostics.print(
        "Log \(TerminalText.sanitized(log)) is not being recorded now: waiting until it is started with 'locationctl log start'."
      )
    case .page(let page): process(page.entries, next: page.next, page.problem)
    case .sealed(let page):
      var entries: [TrackEntry] = []
      do throws(EncryptedTrackError) {
        for piece in page.pieces { entries += try opener?.decrypt(piece) ?? [] }
      } catch {
        return session.fail(FailureMessage(error, log: log))
      }
      process(entries, next: page.next, page.problem)
    case .notes, .imported: session.fail(.replyMismatch)
    }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    // The service was restarted, or the index of its logs was removed.
    guard case .log(.unknownBookmark) = failure else { return session.fail(FailureMessage(failure)) }
    if let lastTime {
      from = GNSSTime(nanosecondsSince1970: lastTime.nanosecondsSince1970 / 1000 * 1000 + 1000)
    }
    begin()
  }

  func receiveMismatch(to request: RequestID) { session.fail(.replyMismatch) }

  private func process(_ entries: [TrackEntry], next: LogRequest.Bookmark?, _ problem: LogProblem?) {
    if let problem, problem != self.problem {
      Diagnostics.print(
        "Log \(TerminalText.sanitized(log)) is not being recorded now (\(FailureMessage.clause(problem))).")
    }
    self.problem = problem
    var bytes: [UInt8] = []
    for entry in entries {
      add(entry, to: &bytes)
      if let count, printed >= count { break }
    }
    if let failure = Results.write(bytes) {
      isOpened = false
      return session.finish(failure)
    }
    if let count, printed >= count { return session.finish(.done) }
    if let next { send(.followOn(next)) } else { session.fail(.replyMismatch) }
  }

  private func add(_ entry: TrackEntry, to bytes: inout [UInt8]) {
    switch entry {
    case .fix(let fix):
      append(writer.line(LocatedFix(fix, age: nil)), to: &bytes)
      lastTime = fix.time
      printed += 1
    case .interruption(let reason):
      // Before the first line there is nothing to interrupt.
      guard let lastTime else { return }
      let change: StreamChange = reason == .paused ? .paused : .lost
      append(writer.line(StreamEvent(change, at: lastTime))[...], to: &bytes)
    }
  }

  private func append(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard !line.isEmpty else { return }
    bytes += isOpened ? writer.separator : writer.opening
    bytes += line
    isOpened = true
  }

  func finish(_ status: CommandStatus) -> CommandStatus {
    guard isOpened, let failure = Results.write(writer.closing), status == .done else { return status }
    return failure
  }
}
