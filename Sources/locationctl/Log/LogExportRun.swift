import Geodesy
import LinuxIO
import LocationIPC
import LocationStore
import Regions
import TrackFormats

/// One export: reads a log and writes it to standard output or into a new file.
struct LogExportRun {
  let log: String
  let from: GNSSTime?
  let to: GNSSTime?
  /// Decrypts an encrypted log; `nil`: no key was given.
  let key: OwnerKey?
  let format: TrackFormat
  /// `nil` for standard output.
  let path: String?
  /// The zones that must not be shown.
  var zones = PrivacyZones([])
  /// The part of the log to export; `nil`: everything. `entries` converts each entry of the log to those that are
  /// exported; the notes are those of `period`.
  var part: (period: ClosedRange<GNSSTime>, entries: (TrackEntry) -> [TrackEntry])?
  /// Whether an existing file is replaced.
  var replaces = false
  /// Names the places of fixes; `nil`: not wanted.
  var names: PlaceNames?

  func execute(_ session: CommandSession) -> CommandStatus {
    let target: ExportTarget?
    do throws(SystemError) {
      target = try path.map { path throws(SystemError) in try ExportTarget(path: path, replacing: replaces) }
    } catch {
      return Self.cannotWrite(path ?? "", error)
    }
    // If the track itself goes to the terminal, it already shows the progress.
    let isShown = Redrawing.isPossible && (path != nil || !Terminal.isTerminal(1))
    var clip = TrackClip(zones)
    func begin(_ notes: [TrackNote]) -> TrackExport {
      TrackExport(
        format, name: log, notes: notes, created: GNSSTime.ofThisMachine, leavesRoom: target != nil, isShown: isShown,
        names: names
      ) { [path] bytes in
        target.map { $0.write(bytes, path ?? "") } ?? Results.write(bytes)
      }
    }
    var export = begin([])
    let status = LogReading(
      session, log: log, from: from, to: to, key: key,
      notes: { notes in
        export = begin(notes.filter { clip.shows($0) && part?.period.contains($0.time) ?? true })
      }
    ) { entry in
      for entry in clip.add(entry).flatMap({ part?.entries($0) ?? [$0] }) {
        if let failure = export.add(entry) { return failure }
      }
      return nil
    }.execute()
    // An incomplete file is removed with the target: it would only obstruct the next attempt.
    guard status == .done else { return status }
    let isEmpty = export.fixes == 0
    // An empty file would look like a recorded track, and could replace one.
    if isEmpty, path != nil { return Diagnostics.report(FailureMessage(reason(hidden: clip.hidden), .noSource)) }
    let end = export.finish()
    if end == .done, let failure = target?.complete(export.correction, path ?? "") { return failure }
    if end == .done, isEmpty { Diagnostics.print(reason(hidden: clip.hidden)) }
    return end
  }

  /// Why nothing was exported.
  private func reason(hidden: Int) -> String {
    let file = path == nil ? "" : ", so no file was written"
    let isWhole = from == nil && to == nil && part == nil
    if hidden > 0 { return "Everything \(isWhole ? "in the log" : "in that period") is hidden by --hide\(file)." }
    return "The log '\(TerminalText.sanitized(log))' has no fix\(isWhole ? "" : " in that period")\(file): "
      + "see 'locationctl log list'."
  }

  static func cannotWrite(_ path: String, _ error: SystemError) -> CommandStatus {
    if let message = FailureMessage(fullDiskOf: path, error, "this file was not written") {
      return Diagnostics.report(message)
    }
    let remedy = error.isExistence ? "use a new file, or add --force to replace this one" : "check its folder"
    guard !path.isEmpty else {
      return Diagnostics.report(FailureMessage("The name of the output file is empty: specify a name.", .usage))
    }
    return Diagnostics.report(
      FailureMessage(
        "\(TerminalText.sanitized(path)) cannot be written (\(ErrorDescription.of(error.errno))): \(remedy).",
        .cannotWrite))
  }
}

/// Holds the noncopyable file of an export so that a closure can use it.
final class ExportTarget {
  var file: NewFile?

  /// Creates the file. Its user decides by the umask who may read it, as with any file that a command makes.
  init(path: String, replacing: Bool) throws(SystemError) {
    file = try NewFile(path: path, replacing: replacing, mode: 0o666)
  }

  /// Completes the file; returns the exit status if that fails.
  func complete(_ correction: DocumentCorrection?, _ path: String) -> CommandStatus? {
    do throws(SystemError) {
      if let correction { try file?.replace(correction.bytes, at: correction.offset) }
      if let file = file.take() { try file.finish() }
      return nil
    } catch {
      return LogExportRun.cannotWrite(path, error)
    }
  }

  /// Appends `bytes`; returns the exit status if that fails.
  func write(_ bytes: [UInt8], _ path: String) -> CommandStatus? {
    do throws(SystemError) {
      try file?.append(bytes)
      return nil
    } catch {
      return LogExportRun.cannotWrite(path, error)
    }
  }
}
