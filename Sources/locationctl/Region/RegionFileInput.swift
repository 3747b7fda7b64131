import Geodesy
import Regions
import TrackFormats

/// A third-party file of regions, read in batches.
final class RegionFileInput {
  private static let remedy = "use a GeoJSON or a KML file"

  private let path: String
  private let pieces: PieceReader
  private var reader: RegionImport

  init(_ path: String, defaultRadius: Double?) throws(FailureMessage) {
    self.path = path
    reader = RegionImport(defaultRadius: defaultRadius.map { Meters($0) }, mostRegions: 1_000_000)
    pieces = try PieceReader(path, remedy: Self.remedy)
  }

  /// Reads the whole file; returns the space that its regions need, and warnings to print. Throws at the first error.
  static func check(
    _ path: String, defaultRadius: Double?
  ) throws(FailureMessage) -> (need: RegionQuota.Need, remarks: [String]) {
    let input = try RegionFileInput(path, defaultRadius: defaultRadius)
    var need = RegionQuota.Need()
    while let regions = try input.next() { for region in regions { need.add(region) } }
    guard need.count > 0 else {
      throw FailureMessage(
        (["\(TerminalText.sanitized(path)) contains no region that can be watched: \(remedy)."] + input.remarks)
          .joined(separator: " "), .badInput)
    }
    return (need, input.remarks)
  }

  /// The next regions, possibly an empty list; `nil` at the end of the file.
  func next() throws(FailureMessage) -> [Region]? {
    try pieces.next { bytes throws(RegionImportError) in
      try reader.receive(bytes)
    } finish: { () throws(RegionImportError) in
      try reader.finish()
    } _: {
      FailureMessage($0, path: path, remedy: Self.remedy)
    }
  }

  /// Warnings to print about the data that was read.
  var remarks: [String] {
    let remarks = reader.remarks
    let name = TerminalText.sanitized(path)
    var sentences: [String] = []
    if remarks.leftOut > 0, let first = remarks.firstLeftOut {
      let swapped = first.seemsSwapped ? " (the latitude seems to come first, but must come second)" : ""
      let regions = remarks.leftOut == 1 ? "1 region was" : "\(remarks.leftOut) regions were"
      sentences.append(
        "\(name): \(regions) left out. The first is '\(TerminalText.sanitized(first.name))' on line \(first.line): "
          + "\(Self.text(first.reason))\(swapped).")
    }
    if remarks.holes > 0 {
      let holes =
        remarks.holes == 1
        ? "1 hole in a polygon was ignored and counts" : "\(remarks.holes) holes in polygons were ignored and count"
      sentences.append("\(name): \(holes) as inside.")
    }
    if remarks.renamed > 0 {
      let regions =
        remarks.renamed == 1
        ? "1 region got a number after its name" : "\(remarks.renamed) regions got a number after their names"
      sentences.append("\(name): \(regions), because other regions have the same name.")
    }
    return sentences
  }

  private static func text(_ reason: SkippedRegion.Reason) -> String {
    switch reason {
    case .otherShape(let shape): "a \(TerminalText.sanitized(shape)) is not an area"
    case .noShape: "it has no shape"
    case .noRadius: "it is a point without a radius: add --radius"
    case .tooManyCorners(let most): "it has more than \(most) corners"
    case .unreadable: "it does not follow the format"
    case .refused(let error): FailureMessage.clause(error)
    }
  }
}
