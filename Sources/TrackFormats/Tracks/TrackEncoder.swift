package import Geodesy

/// The format of a track.
package enum TrackFormat: String, CaseIterable, Sendable {
  case gpx, kml, geojson, csv, nmea
}

/// One format of tracks. Its calls come in this order: start, then for each segment startSegment, at least one write,
/// endSegment; then end.
protocol TrackEncoder: Sendable {
  mutating func start(to bytes: inout [UInt8])
  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8])
  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8])
  mutating func endSegment(to bytes: inout [UInt8])
  mutating func end(to bytes: inout [UInt8])
  /// The same, with the notices that the licenses of places require.
  mutating func end(attributions: [String], to bytes: inout [UInt8])
  /// What to write into the document after its end; `nil`: nothing.
  var correction: DocumentCorrection? { get }
}

extension TrackEncoder {
  var correction: DocumentCorrection? { nil }
  mutating func end(attributions: [String], to bytes: inout [UInt8]) { end(to: &bytes) }
}

/// Bytes that replace spaces in a document, for what is known only at its end.
package struct DocumentCorrection: Hashable, Sendable {
  /// Bytes from the beginning of the document.
  package let offset: Int
  package let bytes: [UInt8]
}

/// Converts the entries of a track to the bytes of one format, entry by entry: the opening, each fix, the closing.
/// Keeps at most `maximumRun` fixes of a track of any length.
package struct TrackDocument: Sendable {
  /// The longest run of fixes that a format stores until it writes them together.
  package static let maximumRun = 2048

  private enum State: Hashable, Sendable {
    /// Nothing was written yet.
    case fresh
    /// The next fix begins a segment, for this reason.
    case between(TrackInterruption?)
    /// The next fix belongs to the current segment.
    case within
  }
  private var state = State.fresh
  private var encoder: any TrackEncoder
  /// Fixes written so far.
  package private(set) var fixes = 0
  /// Fixes omitted because their position or time is invalid.
  package private(set) var fixesLeftOut = 0

  /// - Parameters:
  ///   - name: the name of the track, for the formats that have one.
  ///   - notes: the notes of the track, at most some thousand; NMEA has none.
  ///   - created: when the document is made, for the formats that contain it.
  ///   - hasPlaces: whether entries come with places, for which GeoJSON and CSV have room.
  ///   - leavesRoom: whether the caller can write `correction` into the document after its end.
  package init(
    _ format: TrackFormat, name: String? = nil, notes: [TrackNote] = [], created: GNSSTime? = nil,
    leavesRoom: Bool = false, hasPlaces: Bool = false
  ) {
    let notes = notes.filter { CoordinateText($0.coordinate) != nil && Timestamp($0.time) != nil }
      .sorted { $0.time < $1.time }
    encoder =
      switch format {
      case .gpx: GPXTrackEncoder(name: name, created: created, leavesRoom: leavesRoom, notes: notes)
      case .kml: KMLTrackEncoder(name: name ?? "locationctl", notes: notes)
      case .geojson: GeoJSONTrackEncoder(notes: notes, hasPlaces: hasPlaces)
      case .csv: CSVTrackEncoder(notes: notes, hasPlaces: hasPlaces)
      case .nmea: NMEATrackEncoder()
      }
  }

  /// Appends the output of `entry` to `bytes`. There may be none until a later entry.
  ///
  /// - Parameter place: the place of a fix in a few words; `nil`: not known.
  package mutating func write(_ entry: TrackEntry, place: String? = nil, to bytes: inout [UInt8]) {
    open(to: &bytes)
    switch (entry, state) {
    case (.interruption(let reason), .within):
      encoder.endSegment(to: &bytes)
      state = .between(reason)
    // Of several interruptions in a row only the last one is written.
    case (.interruption(let reason), _): state = .between(reason)
    case (.fix(let fix), _):
      guard let position = CoordinateText(fix.coordinate), Timestamp(fix.time) != nil else {
        fixesLeftOut += 1
        return
      }
      if case .between(let reason) = state {
        encoder.startSegment(after: reason, to: &bytes)
        state = .within
      }
      var located = LocatedFix(fix, age: nil)
      located.place = place
      encoder.write(located, at: position, to: &bytes)
      fixes += 1
    }
  }

  /// Writes the closing; a track without entries is a complete document too.
  ///
  /// - Parameter attributions: the notices that the licenses of the places require; only GeoJSON has room for them.
  package mutating func finish(attributions: [String] = [], to bytes: inout [UInt8]) {
    open(to: &bytes)
    if state == .within { encoder.endSegment(to: &bytes) }
    state = .between(nil)
    encoder.end(attributions: attributions, to: &bytes)
  }

  /// What to write into the document after its end; `nil`: nothing.
  package var correction: DocumentCorrection? { encoder.correction }

  private mutating func open(to bytes: inout [UInt8]) {
    guard state == .fresh else { return }
    encoder.start(to: &bytes)
    state = .between(nil)
  }
}

/// The values of a run of fixes for some keys: one list of values per key, in the order of the fixes, for the formats that write a
/// run's positions in one place and its values in another.
struct TrackColumns: Sendable {
  /// The keys whose values accompany a run's positions.
  static let keys: [FixKey] = [
    .horizontalAccuracy, .verticalAccuracy, .speed, .speedAccuracy, .course, .courseAccuracy, .fix, .satellitesUsed,
    .suspect, .simulated, .imported, .hdop,
  ]

  private var values: [[OutputValue?]] = Array(repeating: [], count: keys.count)
  /// The number of fixes.
  private(set) var count = 0

  /// Adds the values of `located`; pass `nil` for a position without a fix.
  mutating func append(_ located: LocatedFix?) {
    for (index, key) in Self.keys.enumerated() { values[index].append(located.flatMap { key.value(of: $0) }) }
    count += 1
  }

  mutating func removeAll() {
    for index in values.indices { values[index].removeAll(keepingCapacity: true) }
    count = 0
  }

  /// The keys for which any fix has a value, with their values.
  var known: [(key: FixKey, values: [OutputValue?])] {
    zip(Self.keys, values).filter { $0.1.contains { $0 != nil } }.map { ($0.0, $0.1) }
  }
}
