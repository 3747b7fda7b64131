import Geodesy

/// A track as GPX 1.1: a `wpt` per note, then one `trk` with a `trkseg` per segment.
struct GPXTrackEncoder: TrackEncoder {
  private let name: String?
  private let notes: [TrackNote]
  private var hasTrack = false

  init(name: String?, notes: [TrackNote] = []) { (self.name, self.notes) = (name, notes) }

  mutating func start(to bytes: inout [UInt8]) {
    bytes += GPXFormat.start(.extended)
    if let name { bytes += "  <metadata>\n    <name>\(XMLText.escaped(name))</name>\n  </metadata>\n".utf8 }
    for note in notes { GPXFormat.append(note, to: &bytes) }
  }

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    if !hasTrack {
      bytes += GPXFormat.trackStart
      if let name { bytes += "    <name>\(XMLText.escaped(name))</name>\n".utf8 }
    }
    hasTrack = true
    bytes += GPXFormat.segmentStart
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    GPXFormat.appendTrackPoint(located, .extended, to: &bytes)
  }

  mutating func endSegment(to bytes: inout [UInt8]) { bytes += GPXFormat.segmentEnd }

  mutating func end(to bytes: inout [UInt8]) {
    if hasTrack { bytes += GPXFormat.trackEnd }
    bytes += GPXFormat.documentEnd
  }
}
