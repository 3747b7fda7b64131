import Geodesy
import LinuxIO
import Regions
import TrackFormats

/// A third-party file of regions, read in batches.
final class RegionFileInput {
  private static let chunk = 65_536
  private static let remedy = "name a GeoJSON or a KML file"

  private let path: String
  private let file: InputFile
  private var reader: RegionImport
  private var buffer = [UInt8](repeating: 0, count: chunk)
  private var isAtEnd = false

  init(_ path: String, defaultRadius: Double?) throws(FailureMessage) {
    self.path = path
    reader = RegionImport(defaultRadius: defaultRadius.map { Meters($0) }, mostRegions: 1_000_000)
    do throws(InputFileError) {
      file = try InputFile(path: path)
    } catch {
      throw FailureMessage(error, path: path, remedy: Self.remedy)
    }
  }

  /// Reads the whole file and returns what its regions need; throws at the first error.
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
    guard !isAtEnd else { return nil }
    let count: Int
    do throws(SystemError) {
      count = try file.read(into: &buffer)
    } catch {
      throw FailureMessage(.system(error), path: path, remedy: Self.remedy)
    }
    isAtEnd = count == 0
    let bytes = buffer
    do throws(RegionImportError) {
      if isAtEnd { return try reader.finish() }
      return try reader.receive(bytes.span.extracting(0..<count))
    } catch {
      throw FailureMessage(error, path: path, remedy: Self.remedy)
    }
  }

  /// Warnings to print about what was read.
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
      sentences.append("\(name): \(remarks.holes) holes in polygons were ignored and count as inside.")
    }
    if remarks.renamed > 0 {
      sentences.append(
        "\(name): \(remarks.renamed) regions got a number after their name, because other regions have the same name.")
    }
    return sentences
  }

  private static func text(_ reason: SkippedRegion.Reason) -> String {
    switch reason {
    case .otherShape(let shape): "a \(TerminalText.sanitized(shape)) is not an area"
    case .noShape: "it has no shape"
    case .noRadius: "it is a point without a radius: give --radius"
    case .tooManyCorners(let most): "it has more than \(most) corners"
    case .unreadable: "it does not follow the format"
    case .refused(let error): FailureMessage.clause(error)
    }
  }
}
