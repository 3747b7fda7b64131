package import Geodesy
import LinuxIO
package import TrackFormats

/// Writes a track of any length, and shows the number of its fixes on a terminal meanwhile.
package struct TrackExport {
  private var document: TrackDocument
  private var bytes: [UInt8] = []
  private let write: ([UInt8]) -> CommandStatus?
  private let isShown: Bool
  /// Names the places of fixes; `nil`: not wanted.
  private let names: PlaceNames?

  /// The size of one write, bytes.
  static let pieceSize = 65_536
  /// The number of fixes between two progress updates.
  static let step = 10_000

  /// Exports with `write`, which returns the exit status if writing fails.
  ///
  /// - Parameters:
  ///   - created: the time at which the document is made.
  ///   - leavesRoom: whether the caller can write `correction` into the document after `finish`.
  ///   - isShown: whether to show progress.
  package init(
    _ format: TrackFormat, name: String? = nil, notes: [TrackNote] = [], created: GNSSTime? = nil,
    leavesRoom: Bool = false, isShown: Bool = false, write: @escaping ([UInt8]) -> CommandStatus?
  ) {
    self.init(
      format, name: name, notes: notes, created: created, leavesRoom: leavesRoom, isShown: isShown, names: nil,
      write: write)
  }

  /// The same, with the places of the fixes.
  init(
    _ format: TrackFormat, name: String?, notes: [TrackNote], created: GNSSTime?, leavesRoom: Bool, isShown: Bool,
    names: PlaceNames?, write: @escaping ([UInt8]) -> CommandStatus?
  ) {
    self.names = names
    document = TrackDocument(
      format, name: name, notes: notes, created: created, leavesRoom: leavesRoom, hasPlaces: names != nil)
    self.isShown = isShown
    self.write = write
  }

  /// The bytes to write into the document after `finish`, in place of those written before; `nil` if there are none.
  var correction: DocumentCorrection? { document.correction }

  /// Number of fixes written so far.
  package var fixes: Int { document.fixes }

  /// Adds one entry; returns the exit status if it cannot be written.
  package mutating func add(_ entry: TrackEntry) -> CommandStatus? {
    var place: String?
    if let names, case .fix(let fix) = entry { place = names.town(at: fix.coordinate) }
    document.write(entry, place: place, to: &bytes)
    if bytes.count >= Self.pieceSize, let status = flush() { return status }
    if document.fixes.isMultiple(of: Self.step), case .fix = entry { show("\(document.fixes) fixes") }
    return nil
  }

  /// Ends the document; returns the exit status.
  package mutating func finish() -> CommandStatus {
    document.finish(attributions: names?.attributions ?? [], to: &bytes)
    let status = flush()
    show("")
    if status == nil, document.fixesLeftOut > 0 {
      let fixes = CountedNoun.text(
        document.fixesLeftOut, "fix without a position or a time was", "fixes without a position or a time were")
      Diagnostics.print("\(fixes) left out.")
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
