import Geodesy

/// A track as CSV (RFC 4180): a header, then a record per fix. The columns are the JSON keys of `locationctl fix`, with their
/// units, and after them `segment` (counted from 1), `interruption` (why a segment's first fix is not connected to the one before)
/// `geoid` (the model, if one height was computed from the other with it) and `imported` (`true` for a fix of another program's file).
/// Unknown values are empty.
struct CSVTrackEncoder: TrackEncoder {
  private var segment = 0
  private var reason: TrackInterruption?

  /// `age`, `cached`, `accuracyMet` and `dateAssumed` belong to an answer, not to a track, and no source reports a floor.
  private static let keys: [FixKey] =
    [.timestamp, .latitude, .longitude] + heightKeys
    + FixKey.allCases.filter {
      ![.timestamp, .latitude, .longitude, .age, .cached, .accuracyMet, .floor, .dateAssumed, .imported].contains($0)
        && !heightKeys.contains($0)
    }
  /// The altitude last: readers that match a part of a name, as gpsbabel does, use the last column that matches.
  private static let heightKeys: [FixKey] = [.ellipsoidalAltitude, .geoidSeparation, .altitude]

  mutating func start(to bytes: inout [UInt8]) {
    for key in Self.keys { bytes += "\(key.rawValue),".utf8 }
    bytes += "segment,interruption,geoid,imported\r\n".utf8
  }

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    segment += 1
    self.reason = reason
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    let heights = located.heights
    for key in Self.keys {
      let value: OutputValue? =
        switch key {
        case .latitude: .number(position.latitude)
        case .longitude: .number(position.longitude)
        case .altitude: .meters(heights.aboveMeanSeaLevel)
        case .ellipsoidalAltitude: .meters(heights.aboveEllipsoid)
        // Both heights are written, whichever of them was computed.
        case .geoidSeparation: .meters(Self.difference(heights.aboveEllipsoid, heights.aboveMeanSeaLevel))
        default: key.value(of: located)
        }
      CSVText.append(value, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    CSVText.append(.number(segment), to: &bytes)
    bytes.append(UInt8(ascii: ","))
    CSVText.append(.text(reason?.name), to: &bytes)
    reason = nil
    bytes.append(UInt8(ascii: ","))
    if heights.isModelled { CSVText.append(.text(Geoid.name), to: &bytes) }
    bytes.append(UInt8(ascii: ","))
    CSVText.append(FixKey.imported.value(of: located), to: &bytes)
    bytes += "\r\n".utf8
  }

  mutating func endSegment(to bytes: inout [UInt8]) {}
  mutating func end(to bytes: inout [UInt8]) {}

  private static func difference(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b else { return nil }
    return a - b
  }
}
