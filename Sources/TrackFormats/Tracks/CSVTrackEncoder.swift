import Geodesy

/// A track as CSV (RFC 4180): a header, then a record per fix. The columns are the JSON keys of `locationctl fix`, with
/// their units, and after them `segment` (counted from 1), `interruption` (why a segment's first fix is not connected
/// to the one before), `geoid` (the model, if one height was computed from the other with it) and `imported` (`true`
/// for a fix of another program's file). Unknown values are empty. A track with notes has one more column, `note`: each
/// note is a record with its text there, in the order of the times. With places, the last column is `place`.
struct CSVTrackEncoder: TrackEncoder {
  /// The notes that are not written yet, and whether the track has any notes.
  private var notes: ArraySlice<TrackNote>
  private let hasNotes: Bool
  private let hasPlaces: Bool
  private var segment = 0
  private var reason: TrackInterruption?

  /// `age`, `cached`, `accuracyMet` and `dateAssumed` belong to an answer, not to a track, and no source reports a floor. `imported`
  /// has its own column at the end. `hdop` and `dgpsAge` are newer than the columns, which programs read by number.
  private static let keys: [FixKey] =
    [.timestamp, .latitude, .longitude] + heightKeys
    + FixKey.allCases.filter {
      ![
        .timestamp, .latitude, .longitude, .age, .cached, .accuracyMet, .floor, .dateAssumed, .imported, .hdop,
        .dgpsAge,
      ].contains($0) && !heightKeys.contains($0)
    }
  /// The altitude last: readers that match a part of a name, as gpsbabel does, use the last column that matches.
  private static let heightKeys: [FixKey] = [.ellipsoidalAltitude, .geoidSeparation, .altitude]

  init(notes: [TrackNote] = [], hasPlaces: Bool = false) {
    (self.notes, hasNotes, self.hasPlaces) = (notes[...], !notes.isEmpty, hasPlaces)
  }

  mutating func start(to bytes: inout [UInt8]) {
    for key in Self.keys { bytes += "\(key.rawValue),".utf8 }
    bytes += "segment,interruption,geoid,imported\(hasNotes ? ",note" : "")\(hasPlaces ? ",place" : "")\r\n".utf8
  }

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    segment += 1
    self.reason = reason
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    while let note = notes.first, note.time <= located.fix.time {
      write(note, to: &bytes)
      notes = notes.dropFirst()
    }
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
    if hasNotes { bytes.append(UInt8(ascii: ",")) }
    if hasPlaces {
      bytes.append(UInt8(ascii: ","))
      CSVText.append(.text(located.place), to: &bytes)
    }
    bytes += "\r\n".utf8
  }

  private func write(_ note: TrackNote, to bytes: inout [UInt8]) {
    guard let position = CoordinateText(note.coordinate) else { return }
    let heights = FixHeights(note)
    for key in Self.keys {
      let value: OutputValue? =
        switch key {
        case .timestamp: .text(Timestamp(note.time)?.iso8601)
        case .latitude: .number(position.latitude)
        case .longitude: .number(position.longitude)
        case .horizontalAccuracy: .meters(note.horizontalRadius68.value)
        case .altitude: .meters(heights.aboveMeanSeaLevel)
        case .ellipsoidalAltitude: .meters(heights.aboveEllipsoid)
        case .geoidSeparation: .meters(Self.difference(heights.aboveEllipsoid, heights.aboveMeanSeaLevel))
        default: nil
        }
      CSVText.append(value, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    bytes += ",,\(heights.isModelled ? Geoid.name : ""),,".utf8
    CSVText.append(.text(note.text), to: &bytes)
    bytes += (hasPlaces ? ",\r\n" : "\r\n").utf8
  }

  mutating func endSegment(to bytes: inout [UInt8]) {}
  mutating func end(to bytes: inout [UInt8]) {
    for note in notes { write(note, to: &bytes) }
    notes = []
  }

  private static func difference(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b else { return nil }
    return a - b
  }
}
