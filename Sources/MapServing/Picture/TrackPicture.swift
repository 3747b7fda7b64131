package import Geodesy
package import MapDrawing

/// The track of a log or of a file as elements of a picture: lines colored by speed, and rings for positions in doubt.
package struct TrackPicture: Sendable {
  /// The most fixes of one track; further ones are left out.
  package static let most = TrackColumns.most
  /// From slow to fast; the colors of the page.
  static let ramp: [MapColor] = [
    0x3B4CC0, 0x5A8DF0, 0x4FC3D9, 0x5BC46A, 0xD4C02A, 0xF08B2C, 0xD8352A,
  ].map { MapColor($0) }
  /// The color of a speed that is not known.
  private static let unknown = MapColor(0x7D8791)

  private var coordinates: [MapCoordinate] = []
  /// Meters per second; negative: not known.
  private var speeds: [Float] = []
  /// The index of the first fix of each segment.
  private var segments: [Int] = []
  private var doubtful: [MapCoordinate] = []
  private var begins = true
  /// The times of the earliest and the latest fix.
  package private(set) var period: ClosedRange<GNSSTime>?
  /// The length of all segments, meters.
  package private(set) var length = 0.0
  package private(set) var isCut = false
  private var last: (time: GNSSTime, coordinate: Coordinate)?

  package init() {}

  package var count: Int { coordinates.count }

  /// Adds an entry; a speed that the receiver did not report is that between two positions.
  package mutating func append(_ entry: TrackEntry) {
    switch entry {
    case .interruption: begins = true
    case .fix(let fix):
      guard coordinates.count < Self.most else { return isCut = true }
      if fix.qualityFlag != nil { doubtful.append(MapCoordinate(fix.coordinate)) }
      var speed = fix.speedMetersPerSecond
      if begins || last == nil {
        segments.append(coordinates.count)
      } else if let last {
        let meters = Self.distance(last.coordinate, fix.coordinate)
        length += meters
        let seconds = (fix.time - last.time).inSeconds
        if speed == nil, seconds > 0, seconds < 3600 { speed = meters / seconds }
      }
      begins = false
      last = (fix.time, fix.coordinate)
      coordinates.append(MapCoordinate(fix.coordinate))
      speeds.append(Float(speed ?? -1))
      period = period.map { min($0.lowerBound, fix.time)...max($0.upperBound, fix.time) } ?? fix.time...fix.time
    }
  }

  /// Meters on a sphere, for neighbors of a track: on the ellipsoid, the distance differs by less than 0.6 %.
  private static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let turn = (b.longitude.degrees - a.longitude.degrees).remainder(dividingBy: 360)
    let middle = Angle(degrees: (a.latitude.degrees + b.latitude.degrees) / 2).radians
    let x = Angle(degrees: turn).radians * Math.cos(middle)
    return 6_371_000 * Math.hypot(x, b.latitude.radians - a.latitude.radians)
  }

  /// The lines, a green dot at the beginning and one in the color of text at the end, and the rings above them.
  package func elements(_ appearance: MapAppearance) -> [MapElement] {
    let limits = limits
    let colors: [MapColor] =
      limits.isEmpty
      ? [] : speeds.map { speed in speed < 0 ? Self.unknown : Self.ramp[limits.lastIndex { speed >= $0 } ?? 0] }
    var elements: [MapElement] = []
    for (index, begin) in segments.enumerated() {
      let range = begin..<(index + 1 < segments.count ? segments[index + 1] : coordinates.count)
      elements.append(
        .polyline(
          MapPolyline(Array(coordinates[range]), colors: colors.isEmpty ? [] : Array(colors[range]))))
    }
    if let first = coordinates.first { elements.append(.annotation(Self.end(first, MapColor(0x1F9D55)))) }
    if coordinates.count > 1, let last = coordinates.last {
      elements.append(.annotation(Self.end(last, appearance.colors.ink)))
    }
    return elements + doubtful.map { .annotation(MapAnnotation(at: $0, symbol: .hollow)) }
  }

  /// The first and the last position.
  private static func end(_ coordinate: MapCoordinate, _ color: MapColor) -> MapAnnotation {
    MapAnnotation(at: coordinate, symbol: .dot, color: color)
  }

  package var hasDoubtful: Bool { !doubtful.isEmpty }

  /// The least speed of each color, so that each color has about the same number of fixes; empty if no speed is known.
  private var limits: [Float] {
    let known = speeds.filter { $0 >= 0 }
    guard let most = known.max(), most > 0 else { return [] }
    // Counted in 4096 classes instead of sorted.
    var counts = [Int](repeating: 0, count: 4096)
    for speed in known { counts[min(Int(speed / most * 4095), 4095)] += 1 }
    var (limits, sum): ([Float], Int) = ([0], 0)
    for (index, count) in counts.enumerated() {
      while limits.count < Self.ramp.count, sum + count > known.count * limits.count / Self.ramp.count {
        limits.append(max(Float(index) / 4095 * most, limits[limits.count - 1]))
      }
      sum += count
    }
    return limits
  }

  /// The colors with the speeds from which they begin, in a unit, and the name of that unit; `nil` if no speed is known.
  package func ramp(in units: MapUnits) -> (steps: [(color: MapColor, label: String)], title: String)? {
    let limits = limits
    guard !limits.isEmpty else { return nil }
    let unit = units.speed
    let steps = zip(Self.ramp, limits).enumerated().map { index, step in
      let number = Double(step.1) / unit.metersPerSecond
      let label = index % 2 == 0 ? MapUnits.text(number < 10 ? (number * 10).rounded() / 10 : number.rounded()) : ""
      return (color: step.0, label: label)
    }
    return (steps, unit.name)
  }
}
