import Geodesy

/// A track as GPX 1.1: a `wpt` per note, then one `trk` with a `trkseg` per segment.
struct GPXTrackEncoder: TrackEncoder {
  private let name: String?
  private let notes: [TrackNote]
  private let created: GNSSTime?
  private let leavesRoom: Bool
  private var hasTrack = false
  private var extent: TrackSummary.Extent?
  /// The position of the room for `bounds` in the document.
  private var room: Int?

  /// - Parameters:
  ///   - created: when the document is made.
  ///   - leavesRoom: whether to leave room for `bounds`, which `correction` fills.
  init(name: String?, created: GNSSTime? = nil, leavesRoom: Bool = false, notes: [TrackNote] = []) {
    (self.name, self.created, self.leavesRoom, self.notes) = (name, created, leavesRoom, notes)
  }

  var correction: DocumentCorrection? {
    guard let room, let extent, let bounds = GPXFormat.bounds(extent) else { return nil }
    return DocumentCorrection(offset: room, bytes: bounds)
  }

  mutating func start(to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += GPXFormat.start(.extended)
    let metadata = GPXFormat.metadata(name: name, created: created, leavesRoom: leavesRoom)
    room = metadata.room.map { bytes.count - start + $0 }
    bytes += metadata.bytes
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
    if extent == nil {
      extent = TrackSummary.Extent(position.coordinate)
    } else {
      extent?.extend(to: position.coordinate)
    }
    GPXFormat.appendTrackPoint(located, .extended, to: &bytes)
  }

  mutating func endSegment(to bytes: inout [UInt8]) { bytes += GPXFormat.segmentEnd }

  mutating func end(to bytes: inout [UInt8]) {
    if hasTrack { bytes += GPXFormat.trackEnd }
    bytes += GPXFormat.documentEnd
  }
}
