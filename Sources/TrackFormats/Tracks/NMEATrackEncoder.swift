import Geodesy

/// A track as NMEA 0183: GGA and RMC per fix, and between two segments the pair that means "no fix".
struct NMEATrackEncoder: TrackEncoder {
  private var hasSegment = false

  mutating func start(to bytes: inout [UInt8]) {}

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    if hasSegment { bytes += NMEAFormat.lost(at: nil) }
    hasSegment = true
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    bytes += NMEAFormat.lines(located)
  }

  mutating func endSegment(to bytes: inout [UInt8]) {}
  mutating func end(to bytes: inout [UInt8]) {}
}
