import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import TrackFormats

/// Sends the points and the visits of files to the service, each request after the answer to the previous one.
final class LogImportRun {
  private let session: CommandSession
  private let log: String
  private let format: ImportFormat?
  private let size: ImportSize
  private let progress: ImportProgress
  private var paths: ArraySlice<String>
  private var input: TrackFileInput?
  private var entries: [TrackEntry] = []
  private var visits: [Visit] = []
  private var result = ImportResult()
  /// The report on the file that is being sent.
  private var current = LogImportReport(added: 0, known: 0, tooOld: 0, waiting: 0)
  private var hasSentEntries = false
  private var sent = 0

  init(_ session: CommandSession, log: String, files: [String], _ format: ImportFormat?, size: ImportSize) {
    (self.session, self.log, self.format, self.size) = (session, log, format, size)
    paths = files[...]
    progress = ImportProgress("Importing", of: files.count)
  }

  func execute() -> CommandStatus {
    // An import needs the authorization of a log.
    session.askForAuthorization(always: true)
    let status = session.perform(step(), endsWithOutput: false, needsAlways: true)
    progress.clear()
    if status == .done || result.hasAny { result.print(into: log) }
    return status
  }

  /// Reads and sends the next batch; after the last one, finishes the file, and in the end the import.
  private func step() -> RequestStep {
    progress.show(sent, of: size.points, "points")
    do throws(FailureMessage) {
      while entries.count < MessageLimits.importedEntries, visits.count < MessageLimits.importedVisits {
        guard let items = try nextItems() else { break }
        for item in items { add(item) }
      }
    } catch {
      progress.clear()
      return .end(Diagnostics.report(error))
    }
    if entries.count >= MessageLimits.importedEntries || (input == nil && !entries.isEmpty) { return sendEntries() }
    if !visits.isEmpty { return sendVisits() }
    if hasSentEntries { return finishFile() }
    return paths.isEmpty ? .end(.done) : step()
  }

  /// The next items of the current file; `nil` at its end, and as long as the next file cannot be begun.
  private func nextItems() throws(FailureMessage) -> [ImportedItem]? {
    if input == nil {
      // The previous file must be finished first.
      guard entries.isEmpty, visits.isEmpty, !hasSentEntries, let path = paths.popFirst() else { return nil }
      input = try TrackFileInput(path, format)
    }
    guard let items = try input?.next() else {
      if let summary = input?.summary { result.add(summary) }
      input = nil
      return nil
    }
    return items
  }

  private func add(_ item: ImportedItem) {
    switch item {
    case .interruption: entries.append(.interruption(.gap))
    case .fix(let fix): entries.append(.fix(fix))
    case .visit(let visit): visits.append(visit)
    }
  }

  private func sendEntries() -> RequestStep {
    let part = Array(entries.prefix(MessageLimits.importedEntries))
    entries.removeFirst(part.count)
    sent += part.count { if case .fix = $0 { true } else { false } }
    hasSentEntries = true
    return .send(.logImport(.addImported(name: log, part))) { [unowned self] report in
      current = report
      return step()
    }
  }

  private func sendVisits() -> RequestStep {
    let part = Array(visits.prefix(MessageLimits.importedVisits))
    visits.removeFirst(part.count)
    return .send(.importVisits(part)) { [unowned self] counts in
      result.visits.added += counts.added
      result.visits.known += counts.known
      result.visits.beyond += counts.beyond
      return step()
    }
  }

  /// Writes the fixes that wait in the service, in several requests, because each writes a limited number of days.
  private func finishFile() -> RequestStep {
    .send(.logImport(.finishImport(name: log))) { [unowned self] report in
      current = report
      guard report.waiting == 0 else { return finishFile() }
      result.add(current)
      hasSentEntries = false
      return step()
    }
  }
}

/// The result of an import, for people.
struct ImportResult {
  private var points = (added: 0, known: 0, tooOld: 0)
  private var skipped: [ImportSummary.Reason: Int] = [:]
  private var begin: GNSSTime?
  private var end: GNSSTime?
  var visits = (added: 0, known: 0, beyond: 0)

  var hasAny: Bool { points.added + points.known + visits.added + visits.known > 0 }

  mutating func add(_ report: LogImportReport) {
    points.added += report.added
    points.known += report.known
    points.tooOld += report.tooOld
  }

  mutating func add(_ summary: ImportSummary) {
    skipped.merge(summary.skipped) { $0 + $1 }
    if let time = summary.begin { begin = min(begin ?? time, time) }
    if let time = summary.end { end = max(end ?? time, time) }
  }

  func print(into log: String) {
    var sentence = "\(CountedNoun.text(points.added, "point")) imported into log \(TerminalText.sanitized(log))"
    if let begin, let end { sentence += ", from \(TrackReport.local(begin)) to \(TrackReport.local(end))" }
    Diagnostics.print("\(sentence); \(points.known) \(points.known == 1 ? "was" : "were") already there.")
    if visits.added + visits.known + visits.beyond > 0 {
      let beyond = visits.beyond == 0 ? "" : "; \(visits.beyond) left out, because there is no room for more"
      Diagnostics.print(
        "\(CountedNoun.text(visits.added, "visit")) imported; \(visits.known) \(visits.known == 1 ? "was" : "were") already there\(beyond)."
      )
    }
    var reasons = ImportSummary.Reason.allCases.compactMap { reason in
      skipped[reason].map { "\($0) \(Self.text(reason))" }
    }
    if points.tooOld > 0 { reasons.append("\(points.tooOld) older than what the log keeps") }
    let count = skipped.values.reduce(points.tooOld, +)
    guard count > 0 else { return }
    Diagnostics.print("\(count) left out: \(reasons.joined(separator: ", ")).")
  }

  private static func text(_ reason: ImportSummary.Reason) -> String {
    switch reason {
    case .noTime: "without a time"
    case .noPosition: "without a valid position"
    case .noFix: "for which the receiver had no fix"
    case .wrongTime: "with a time before 1970-01-02 or in the future"
    case .notLocation: "that are messages of another kind"
    case .unreadable: "that do not follow the format"
    }
  }
}
