import Geodesy
import Regions
import TrackFormats

/// The content of a file of regions that is read in pieces.
struct ImportedRegions: Hashable {
  var regions: [Region] = []
  var remarks = RegionFileSummary()

  init(
    _ bytes: [UInt8], pieces: Int = .max, defaultRadius: Meters? = nil, mostRegions: Int = 1000
  ) throws(RegionImportError) {
    var reading = RegionImport(defaultRadius: defaultRadius, mostRegions: mostRegions)
    var offset = 0
    while offset < bytes.count {
      let end = offset + min(pieces, bytes.count - offset)
      regions += try reading.receive(Array(bytes[offset..<end]).span)
      offset = end
    }
    regions += try reading.finish()
    remarks = reading.remarks
  }

  init(_ text: String, defaultRadius: Meters? = nil, mostRegions: Int = 1000) throws(RegionImportError) {
    try self.init(Array(text.utf8), defaultRadius: defaultRadius, mostRegions: mostRegions)
  }

  /// A file in two pieces.
  init(_ bytes: [UInt8], cutAt cut: Int) throws(RegionImportError) {
    var reading = RegionImport(mostRegions: 1000)
    regions += try reading.receive(Array(bytes[..<cut]).span)
    regions += try reading.receive(Array(bytes[cut...]).span)
    regions += try reading.finish()
    remarks = reading.remarks
  }

  var names: [String] { regions.map(\.identifier) }

  var circles: [CircleShape] {
    regions.compactMap { if case .circle(let circle) = $0.shape { circle } else { nil } }
  }

  var polygons: [PolygonShape] {
    regions.compactMap { if case .polygon(let polygon) = $0.shape { polygon } else { nil } }
  }
}
