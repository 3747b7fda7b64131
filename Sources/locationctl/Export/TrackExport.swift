package import Geodesy
import LocationDaemon
package import TrackFormats

/// Writes a track to the standard output, however long it is, with the count of its fixes on a terminal meanwhile.
package struct TrackExport {
  private var document: TrackDocument
  private var bytes: [UInt8] = []
  private let write: ([UInt8]) -> CommandStatus?
  private let isShown: Bool

  /// What is written at once, bytes.
  static let pieceSize = 65_536
  /// Fixes between two looks at the progress.
  static let step = 10_000

  /// Exports to the standard output.
  package init(_ format: TrackFormat) {
    // Where the track itself goes to the terminal, it is the progress.
    self.init(format, isShown: isTerminal(2) && !isTerminal(1)) { Results.write($0) }
  }

  /// Exports by `write`, which returns how to end where nothing more can be written.
  package init(_ format: TrackFormat, isShown: Bool = false, write: @escaping ([UInt8]) -> CommandStatus?) {
    document = TrackDocument(format)
    self.isShown = isShown
    self.write = write
  }

  /// Writes what `next` gives, up to its `nil`; how the command ends.
  package mutating func run(_ next: () throws -> TrackEntry?) rethrows -> CommandStatus {
    while let entry = try next() {
      document.write(entry, to: &bytes)
      if bytes.count >= Self.pieceSize, let status = flush() { return status }
      if document.fixes.isMultiple(of: Self.step), case .fix = entry { show("\(document.fixes) fixes") }
    }
    document.finish(to: &bytes)
    let status = flush()
    show("")
    if status == nil, document.fixesLeftOut > 0 {
      Diagnostics.say("\(document.fixesLeftOut) fixes were left out, as they have no place or time.")
    }
    return status ?? .done
  }

  private mutating func flush() -> CommandStatus? {
    defer { bytes.removeAll(keepingCapacity: true) }
    guard let status = write(bytes) else { return nil }
    show("")
    return status
  }

  private func show(_ text: String) {
    guard isShown else { return }
    StandardError.write(Array("\r\(text)\u{1B}[K".utf8))
  }
}
