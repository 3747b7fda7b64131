package import Geodesy

/// Turns the entries of a track into the bytes of one format, entry by entry: what opens it, each fix, what closes it.
///
/// It keeps no more of a track than `maximumRun` fixes, however long that is.
package struct TrackDocument: Sendable {
  /// The longest run of fixes that a format keeps until it writes them together.
  package static let maximumRun = 2048

  private enum State: Hashable, Sendable {
    /// Nothing was written.
    case fresh
    /// The next fix begins a segment, for this reason.
    case between(TrackInterruption?)
    /// The next fix belongs to the segment before it.
    case within
  }
  private var state = State.fresh
  private var encoder: any TrackEncoder
  /// Fixes written so far.
  package private(set) var fixes = 0
  /// Fixes left out, as they are nowhere on Earth or at no time that a calendar has.
  package private(set) var fixesLeftOut = 0

  package init(_ format: TrackFormat) {
    encoder =
      switch format {
      case .gpx: GPXTrackEncoder()
      case .kml: KMLTrackEncoder()
      case .geojson: GeoJSONTrackEncoder()
      case .csv: CSVTrackEncoder()
      case .nmea: NMEATrackEncoder()
      }
  }

  /// Writes what `entry` adds at the end of `bytes`, which may be nothing yet.
  package mutating func write(_ entry: TrackEntry, to bytes: inout [UInt8]) {
    open(to: &bytes)
    switch (entry, state) {
    case (.interruption(let reason), .within):
      encoder.endSegment(to: &bytes)
      state = .between(reason)
    // Of several in a row the last one is what the next fix came after.
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
      encoder.write(LocatedFix(fix, age: nil), at: position, to: &bytes)
      fixes += 1
    }
  }

  /// Writes what closes the track; a track without entries is a whole document too.
  package mutating func finish(to bytes: inout [UInt8]) {
    open(to: &bytes)
    if state == .within { encoder.endSegment(to: &bytes) }
    state = .between(nil)
    encoder.end(to: &bytes)
  }

  private mutating func open(to bytes: inout [UInt8]) {
    guard state == .fresh else { return }
    encoder.start(to: &bytes)
    state = .between(nil)
  }
}
