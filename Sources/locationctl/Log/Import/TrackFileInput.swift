import Geodesy
import LinuxIO
import TrackFormats

/// A file of another program, read piece by piece. Its contents are untrusted.
final class TrackFileInput {
  private static let remedy = "use a file in one of the formats that 'locationctl log import --help' lists"
  /// Points may be this much later than this machine's clock: the clock that dated them may have been ahead.
  private static let tolerance: Duration = .seconds(86_400)

  private let path: String
  private let pieces: PieceReader
  private var reader: TrackImport

  init(_ path: String, _ format: ImportFormat?) throws(FailureMessage) {
    self.path = path
    reader = TrackImport(format, latest: WallClock.believable.map { $0 + Self.tolerance })
    pieces = try PieceReader(path, remedy: Self.remedy)
  }

  /// Reads the whole file and throws at the first error; returns the file's number of bytes and a summary of its
  /// contents.
  static func check(
    _ path: String, _ format: ImportFormat?, _ progress: ImportProgress
  ) throws(FailureMessage) -> (bytes: Int, summary: ImportSummary) {
    let input = try TrackFileInput(path, format)
    while try input.next() != nil { progress.show(path, bytes: input.position) }
    return (input.position, input.summary)
  }

  var summary: ImportSummary { reader.summary }
  /// The number of bytes read so far.
  var position: Int { pieces.position }

  /// The next items, possibly an empty list; `nil` at the end of the file.
  func next() throws(FailureMessage) -> [ImportedItem]? {
    try pieces.next { bytes throws(TrackImportError) in
      try reader.receive(bytes)
    } finish: { () throws(TrackImportError) in
      try reader.finish()
    } _: {
      FailureMessage($0, path: path, remedy: Self.remedy)
    }
  }
}

/// The size of everything to import.
struct ImportSize {
  private(set) var bytes = 0
  private(set) var points = 0
  private(set) var visits = 0

  mutating func add(_ file: (bytes: Int, summary: ImportSummary)) {
    bytes += file.bytes
    points += file.summary.points
    visits += file.summary.visits
  }
}

/// The line on a terminal's stderr that shows the progress of an import.
final class ImportProgress {
  private let verb: String
  private let files: Int
  private let isShown = Redrawing.isPossible
  private var last = -1
  private static let step = 1_000_000
  private static let width = 20

  init(_ verb: String, of files: Int) { (self.verb, self.files) = (verb, files) }

  /// Shows the number of bytes that were read of a file.
  func show(_ path: String, bytes: Int) {
    guard isShown, bytes / Self.step != last else { return }
    last = bytes / Self.step
    let name = TerminalText.sanitized(String(path.suffix(40)))
    draw("\(verb) \(name): \(last) MB")
  }

  /// Shows a bar: `done` of `total`.
  func show(_ done: Int, of total: Int, _ noun: String) {
    guard isShown, total > 0 else { return }
    let share = min(1, Double(done) / Double(total))
    guard Int(share * 1000) != last else { return }
    last = Int(share * 1000)
    let full = Int(share * Double(Self.width))
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: Self.width - full)
    draw("\(verb) [\(bar)] \(Int(share * 100)) % of \(total) \(noun)")
  }

  func clear() { if isShown { StandardError.write(Array("\r\u{1B}[K".utf8)) } }

  private func draw(_ text: String) { StandardError.write(Array("\r\(text)\u{1B}[K".utf8)) }
}
