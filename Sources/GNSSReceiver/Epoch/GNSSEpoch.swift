package import Geodesy
package import WireFormats

/// All that a receiver said of one moment.
package struct GNSSEpoch: Hashable, Sendable {
  /// How much of it is in.
  package var stage: EpochStage
  /// Its fix; `nil` where the receiver says that it has none.
  package var fix: PositionFix?
  /// What it is about; `nil` where the receiver has told no time.
  package var time: GNSSTime?
  /// What is believed of that time.
  package var timeValidity: TimeValidity?
  /// Its satellites, counted.
  package var sky: SkySummary
  /// Its satellites, one by one, once it is complete; `nil` where they are not listed, as they need not be in every epoch.
  package var satellites: [SatelliteSighting]?
  /// Which receiver, as fixes name it.
  package var receiver: String?
  /// Whether it is a replay's or a simulator's.
  package var isSimulated: Bool
  /// Whether it was heard from its beginning; one that was joined half-way lacks what went before.
  package var isWhole: Bool
  /// Whole eras (1024 weeks) that were added to the receiver's date.
  package var erasAdded: Int
  /// Whether the receiver already had a fix when it was first heard, so that the fix has converged.
  package var isTracked: Bool
}

/// How much of an epoch is in.
package enum EpochStage: Hashable, Sendable {
  /// Time, position and quality are known; the rest is still on the wire.
  case prompt
  /// All that the receiver says of it, as learnt from the epochs before.
  case complete
}

/// What an epoch says of the satellites.
package struct SkySummary: Hashable, Sendable {
  /// Satellites that the receiver listed; `nil` where it lists none.
  package var inView: Int?
  /// Satellites of those that it hears (C/N0 above zero).
  package var heard: Int?
  /// Satellites in the solution.
  package var used: Int?
  /// Dilutions of precision, above zero and below 99, horizontal, vertical and of position; `nil`: not told, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?

  /// Nothing said.
  package init(inView: Int? = nil, heard: Int? = nil, used: Int? = nil) {
    self.inView = inView
    self.heard = heard
    self.used = used
  }
}

/// One satellite as a receiver lists it, by one of its signals; receivers that tell signals apart list it once for each.
package struct SatelliteSighting: Hashable, Sendable {
  package var id: SatelliteID
  /// Above the horizon, −90…90; `nil`: not known.
  package var elevationDegrees: Int8?
  /// 0…360, clockwise from true north; `nil`: not known.
  package var azimuthDegrees: Int16?
  /// Carrier to noise density in dB-Hz, above zero; `nil`: not heard.
  package var signalDecibelHertz: UInt8?
  /// Which signal, as NMEA 0183 4.11 numbers them within a system (table 21); `nil`: not told.
  package var code: UInt8?
  /// Whether the solution stands on it; `nil`: not told.
  package var isUsed: Bool?
  /// `nil`: not told.
  package var isHealthy: Bool?

  /// A sighting; what is left out is not known.
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

/// The signals that NMEA receivers tell apart (NMEA 0183 4.11, table 21).
extension SatelliteSighting {
  /// As the system's interface documents call it; `nil`: not told, or a number that the table does not have.
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

  /// Adds one.
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
