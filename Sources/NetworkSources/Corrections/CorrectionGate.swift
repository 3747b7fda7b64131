package import Geodesy

/// Decides which frames of corrections are passed to a receiver, and records their age and their station.
///
/// A caster, or someone between it and this machine, may send anything. A receiver gets only messages that are
/// corrections, and none of a station that is too far away to be of use: with the corrections of a false station, a
/// receiver reports a wrong position as its most accurate one.
package struct CorrectionGate: Sendable {
  package enum Verdict: Hashable, Sendable {
    /// Send the frame to the receiver.
    case pass
    /// The message is not a correction.
    case otherMessage
    /// The station is too far away.
    case tooFar(ReferenceStation, distance: Meters)
  }

  /// A station at a greater distance is of no use for RTK.
  package static let greatestDistance = Meters(100_000)
  /// Older corrections are of no use.
  package static let longestAge: Duration = .seconds(30)
  /// The messages of RTCM 10403.3, and 4072 for moving base stations (u-blox).
  package static let messageNumbers = 1001...1230
  package static let otherNumbers: Set = [4072]

  /// The station that sent its place last.
  package private(set) var station: ReferenceStation?
  /// The distance from this machine to the station; `nil`: one of the two positions is unknown.
  package private(set) var distance: Meters?
  /// When the last observations were passed.
  package private(set) var lastObservations: Instant?
  package private(set) var passedCount: UInt64 = 0
  package private(set) var passedByteCount: UInt64 = 0
  package private(set) var droppedCount: UInt64 = 0

  package init() {}

  /// Whether the station is too far away, so that nothing is passed.
  package var isTooFar: Bool { distance.map { $0 > Self.greatestDistance } ?? false }

  /// The age of the corrections; `nil`: there were none.
  package func age(at now: Instant) -> Duration? { lastObservations.map { now - $0 } }

  /// Whether corrections were in use, and are too old now.
  package func isStale(at now: Instant) -> Bool { age(at: now).map { $0 > Self.longestAge } ?? false }

  /// - Parameter position: that of this machine; `nil`: unknown, so that every station may be near.
  package mutating func receive(_ frame: RTCMFrame, position: Coordinate?, at now: Instant) -> Verdict {
    guard let number = frame.messageNumber, Self.isCorrection(number) else {
      droppedCount &+= 1
      return .otherMessage
    }
    if let station = ReferenceStation(frame) { self.station = station }
    distance = position.flatMap { here in
      station.map { Geodesic.inverse(from: here, to: $0.coordinate).distance }
    }
    if isTooFar, let station, let distance {
      droppedCount &+= 1
      return .tooFar(station, distance: distance)
    }
    if Self.isObservation(number) { lastObservations = now }
    passedCount &+= 1
    passedByteCount &+= UInt64(frame.bytes.count)
    return .pass
  }

  static func isCorrection(_ number: Int) -> Bool { messageNumbers.contains(number) || otherNumbers.contains(number) }

  /// Whether a message contains measurements, which become outdated, rather than a description of a station: 1001…1004,
  /// 1009…1012 and MSM.
  static func isObservation(_ number: Int) -> Bool {
    (1001...1004).contains(number) || (1009...1012).contains(number) || (1071...1137).contains(number)
  }
}
