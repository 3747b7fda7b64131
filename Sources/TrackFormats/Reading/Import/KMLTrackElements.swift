import Geodesy

/// KML 2.2 (OGC 07-147r2) with Google's `gx:Track` (developers.google.com/kml/documentation/kmlreference): tracks, and
/// placemarks with a `TimeStamp` and a `Point`. Heights are read only with the altitude mode `absolute`, which is above
/// mean sea level.
///
/// A track lists its times before its positions, so the times are kept until the positions arrive. Its other values for
/// each position follow after all positions, so they are used only for tracks of fewer than `mostKept` positions.
struct KMLTrackElements: TrackElements {
  /// The positions of a track of this length or longer are reported without the values that follow them.
  static let mostKept = 50_000
  /// The longest track: 64 MB of times.
  static let mostTimes = 4_000_000

  private var names: [String] = []
  private var text = ElementText()
  private var track: Track?
  private var placemark: Placemark?
  /// Whether the tracks of the current `gx:MultiTrack` are connected (`gx:interpolate`), and whether one of them has begun.
  private var multiTrack: (isConnected: Bool, hasTrack: Bool)?

  private struct Placemark: Sendable {
    var position = ImportedPosition()
    var hasPoint = false
    /// Whether there is a line, whose positions have no times.
    var hasLine = false
    var isAbsolute = false
    var height: Double?
    var dataName = ""
  }

  private struct Track: Sendable {
    var times: [GNSSTime?] = []
    var positions: [ImportedPosition] = []
    /// The number of positions that were reported before the end of the track.
    var reported = 0
    var isAbsolute = false
    var column = ""
    var row = 0
  }

  mutating func start(
    _ name: String, _ attributes: [String: String], depth: Int, _ output: inout ImportOutput
  ) throws(TrackImportError) {
    text.begin()
    let parent = names.last
    names.append(name)
    switch name {
    case "Placemark": placemark = Placemark()
    case "LineString", "LinearRing": placemark?.hasLine = true
    case "MultiTrack": multiTrack = (false, false)
    case "Track":
      if multiTrack?.isConnected != true || multiTrack?.hasTrack != true { output.interrupt() }
      multiTrack?.hasTrack = true
      track = Track()
    case "SimpleArrayData":
      track?.column = attributes["name"] ?? ""
      track?.row = 0
    case "Data" where parent == "ExtendedData": placemark?.dataName = attributes["name"] ?? ""
    case "SimpleData": placemark?.dataName = attributes["name"] ?? ""
    default: break
    }
  }

  mutating func receive(_ text: String) {
    // The positions of a line, which have no times, can be longer than everything else; they are not kept.
    if names.last != "coordinates" || names.dropLast().last == "Point" { self.text.append(text) }
  }

  mutating func end(_ name: String, depth: Int, _ output: inout ImportOutput) throws(TrackImportError) {
    names.removeLast()
    let text = text.trimmed
    self.text.begin()
    switch (name, names.last) {
    case ("when", "Track"):
      track?.times.append(ImportedTime.parse(text))
      guard track?.times.count ?? 0 <= Self.mostTimes else { throw .tooMany(most: Self.mostTimes) }
    case ("coord", "Track"): addCoordinate(text, &output)
    case ("altitudeMode", "Track"): track?.isAbsolute = text == "absolute"
    case ("value", "SimpleArrayData"): setColumn(text)
    case ("Track", _):
      if let track { Self.report(track, &output) }
      track = nil
    case ("interpolate", "MultiTrack"): multiTrack?.isConnected = text == "1" || text == "true"
    case ("MultiTrack", _):
      multiTrack = nil
      output.interrupt()
    case ("when", "TimeStamp"): placemark?.position.time = ImportedTime.parse(text)
    case ("altitudeMode", "Point"): placemark?.isAbsolute = text == "absolute"
    case ("coordinates", "Point"): setPoint(text)
    case ("value", "Data"), ("SimpleData", "SchemaData"):
      if let name = placemark?.dataName { placemark?.position.set(name, text: text) }
    case ("Placemark", _): endPlacemark(&output)
    case (_, _): break
    }
  }

  // MARK: - Placemarks

  private mutating func setPoint(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { ImportedNumber.parse(String($0)) }
    placemark?.hasPoint = true
    guard (2...3).contains(parts.count) else { return }
    placemark?.position.longitude = parts[0]
    placemark?.position.latitude = parts[1]
    placemark?.height = parts.count == 3 ? parts[2] : nil
  }

  private mutating func endPlacemark(_ output: inout ImportOutput) {
    guard var found = placemark.take() else { return }
    if found.hasLine, !found.hasPoint { return output.skip(.noTime) }
    guard found.hasPoint else { return }
    if found.isAbsolute { found.position.heightAboveMeanSeaLevel = found.height }
    output.add(found.position)
  }

  // MARK: - Tracks

  /// `gx:coord`: longitude, latitude and height, separated by spaces.
  private mutating func addCoordinate(_ text: String, _ output: inout ImportOutput) {
    guard track != nil else { return }
    var position = ImportedPosition()
    let parts = text.split(separator: " ").prefix(4).map { ImportedNumber.parse(String($0)) }
    if (2...3).contains(parts.count) {
      position.longitude = parts[0]
      position.latitude = parts[1]
      if parts.count == 3, track?.isAbsolute ?? false { position.heightAboveMeanSeaLevel = parts[2] }
    }
    track?.positions.append(position)
    guard let count = track?.positions.count, count >= Self.mostKept, let long = track else { return }
    Self.report(long, &output)
    track?.reported += count
    track?.positions.removeAll(keepingCapacity: true)
  }

  private mutating func setColumn(_ text: String) {
    guard let found = track, !text.isEmpty, found.reported == 0, found.row < found.positions.count else {
      track?.row += 1
      return
    }
    track?.positions[found.row].set(found.column, text: text)
    track?.row += 1
  }

  private static func report(_ track: Track, _ output: inout ImportOutput) {
    for (offset, position) in track.positions.enumerated() {
      var position = position
      let index = track.reported + offset
      position.time = index < track.times.count ? track.times[index] : nil
      output.add(position)
    }
  }
}
