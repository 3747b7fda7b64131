package import Geodesy
package import WireFormats

/// Everything that a receiver reported for one moment.
package struct GNSSEpoch: Hashable, Sendable {
  /// Whether the epoch is provisional or complete.
  package var stage: EpochStage
  /// The fix; `nil` if the receiver reports that it has none.
  package var fix: PositionFix?
  /// The moment that the epoch describes; `nil` if the receiver has not reported a time, or its day is unknown.
  package var time: GNSSTime?
  /// How far `time` is confirmed.
  package var timeValidity: TimeValidity?
  /// Satellite counts and dilutions of precision.
  package var sky: SkySummary
  /// The satellites, one by one, in a complete epoch; `nil` if they were not listed. Receivers do not list them in every epoch.
  package var satellites: [SatelliteObservation]?
  /// Identity of the receiver, as in fixes: the same from the first epoch on.
  package var receiver: String?
  /// The identity that the receiver itself has reported, if it has; `nil` in an epoch that is not complete. Unlike that of its port, it
  /// stays the same in another port.
  package var ownIdentity: String?
  /// Whether it comes from a replay or a simulator.
  package var isSimulated: Bool
  /// Whether it was received from its beginning; an epoch that was joined half-way lacks the messages before.
  package var isWhole: Bool
  /// Whole eras (1024 weeks) that were added to the receiver's date.
  package var erasAdded: Int
  /// Whether the receiver already had a fix in the first epoch received and has not lost it since, so that the fix has
  /// converged.
  package var isTracked: Bool
  /// The arrival of its messages; `nil` in an epoch that is not complete.
  package var timing: EpochTiming?
}

/// How much of an epoch has been received.
package enum EpochStage: Hashable, Sendable {
  /// Time, position and quality are known; the remaining messages have not been received yet.
  case prompt
  /// The epoch has ended: with its usual last message or UBX-NAV-EOE, with a silence, or with the first message of the next.
  case complete
}

/// What an epoch reports about the satellites.
package struct SkySummary: Hashable, Sendable {
  /// Number of satellites that the receiver listed; `nil` if the epoch contains no list.
  package var inView: Int?
  /// Number of those that it receives (C/N0 above zero).
  package var received: Int?
  /// Number of satellites in the solution.
  package var used: Int?
  /// Horizontal, vertical and position dilution of precision, above zero and below 99; `nil`: not reported, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?

  /// A summary with these counts; no dilution is known.
  package init(inView: Int? = nil, received: Int? = nil, used: Int? = nil) {
    self.inView = inView
    self.received = received
    self.used = used
  }
}

/// One satellite as a receiver lists it, by one of its signals; receivers that distinguish signals list it once for each.
package struct SatelliteObservation: Hashable, Sendable {
  package var id: SatelliteID
  /// Elevation above the horizon, −90…90 degrees; `nil`: unknown.
  package var elevationDegrees: Int8?
  /// Azimuth, 0…360 degrees clockwise from true north; `nil`: unknown.
  package var azimuthDegrees: Int16?
  /// Carrier-to-noise density in dB-Hz, above zero; `nil`: not received.
  package var signalDecibelHertz: UInt8?
  /// The signal, by NMEA 0183 4.11's numbers within a system (table 21); `nil`: not reported.
  package var code: UInt8?
  /// Whether the solution uses it; `nil`: not reported.
  package var isUsed: Bool?
  /// Whether the satellite is healthy; `nil`: not reported.
  package var isHealthy: Bool?

  /// An observation; a value that is left out is unknown.
  package init(
    id: SatelliteID, elevationDegrees: Int8? = nil, azimuthDegrees: Int16? = nil, signalDecibelHertz: UInt8? = nil,
    code: UInt8? = nil, isUsed: Bool? = nil, isHealthy: Bool? = nil
  ) {
    self.id = id
    self.elevationDegrees = elevationDegrees
    self.azimuthDegrees = azimuthDegrees
    self.signalDecibelHertz = signalDecibelHertz
    self.code = code
    self.isUsed = isUsed
    self.isHealthy = isHealthy
  }
}

/// The signals that NMEA receivers distinguish (NMEA 0183 4.11, table 21).
extension SatelliteObservation {
  /// The signal's name in the system's interface documents; `nil`: not reported, or a number that is not in the table.
  package var signalName: String? {
    guard let code else { return nil }
    let names: [String]
    switch id.constellation {
    case .gps, .sbas:
      names = ["L1 C/A", "L1 P(Y)", "L1 M", "L2 P(Y)", "L2C-M", "L2C-L", "L5-I", "L5-Q"]
    case .glonass: names = ["G1 C/A", "G1 P", "G2 C/A", "G2 P"]
    case .galileo: names = ["E5a", "E5b", "E5a+b", "E6-A", "E6-BC", "E1-A", "E1-BC"]
    case .beidou:
      names = ["B1I", "B1Q", "B1C", "B1A", "B2a", "B2b", "B2a+b", "B3I", "B3Q", "B3A", "B2I", "B2Q"]
    case .qzss:
      names = ["L1 C/A", "L1C-D", "L1C-P", "LIS", "L2C-M", "L2C-L", "L5-I", "L5-Q", "L6D", "L6E"]
    case .navic: names = ["L5-SPS", "S-SPS", "L5-RS", "S-RS", "L1-SPS"]
    case .imes: return nil
    }
    guard (1...names.count).contains(Int(code)) else { return nil }
    return names[Int(code) - 1]
  }
}

/// A set of satellites without a heap allocation: a bit for each number of each constellation.
struct SatelliteSet: Sendable {
  private var bits: InlineArray<32, UInt64> = .init(repeating: 0)
  private(set) var count = 0

  /// Adds a satellite; ignores one whose constellation's number is 8 or greater.
  mutating func insert(_ id: SatelliteID) {
    guard let (index, bit) = Self.place(of: id), bits[index] & bit == 0 else { return }
    bits[index] |= bit
    count += 1
  }

  /// Whether a satellite is in it.
  func contains(_ id: SatelliteID) -> Bool {
    guard let (index, bit) = Self.place(of: id) else { return false }
    return bits[index] & bit != 0
  }

  /// There is room for 8 constellations of 256 numbers.
  private static func place(of id: SatelliteID) -> (index: Int, bit: UInt64)? {
    guard id.constellation.rawValue < 8 else { return nil }
    return (Int(id.constellation.rawValue) * 4 + Int(id.number) / 64, 1 << UInt64(id.number % 64))
  }
}
