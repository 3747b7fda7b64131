import Geodesy
import LocationPolicy
import Testing
import TrackFormats

/// Reads files to import, for tests.
protocol ImportedFileReading {}

extension ImportedFileReading {
  func read(
    _ text: String, _ format: ImportFormat? = nil, pieces: Int = .max
  ) throws -> (items: [ImportedItem], summary: ImportSummary, format: ImportFormat?) {
    try read(Array(text.utf8), format, pieces: pieces)
  }

  func read(
    _ bytes: [UInt8], _ format: ImportFormat? = nil, pieces: Int = .max
  ) throws -> (items: [ImportedItem], summary: ImportSummary, format: ImportFormat?) {
    var reader = TrackImport(format)
    var items: [ImportedItem] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + min(pieces, bytes.count))
      items += try reader.receive(Array(bytes[offset..<end]).span)
      offset = end
    }
    items += try reader.finish()
    return (items, reader.summary, reader.format)
  }

  func fixes(_ items: [ImportedItem]) -> [PositionFix] {
    items.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  func visits(_ items: [ImportedItem]) -> [Visit] {
    items.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
  }

  func time(_ text: String) throws -> GNSSTime {
    let reading = try #require(DateTimeText.parse(text))
    return reading.clock + (.zero - (reading.offset ?? .zero))
  }

  /// The place of a fix, rounded to 10⁻⁷ degrees.
  func place(_ fix: PositionFix) -> [Double] {
    [fix.coordinate.latitude.degrees, fix.coordinate.longitude.degrees].map { ($0 * 1e7).rounded() / 1e7 }
  }
}
