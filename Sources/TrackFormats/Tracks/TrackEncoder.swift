import Geodesy

/// One format of tracks. Its calls come in this order: start, then for each segment startSegment, at least one write,
/// endSegment; then end.
protocol TrackEncoder: Sendable {
  mutating func start(to bytes: inout [UInt8])
  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8])
  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8])
  mutating func endSegment(to bytes: inout [UInt8])
  mutating func end(to bytes: inout [UInt8])
}
