package import WireFormats

/// The random parameters that anonymize a recording's receivers and position: chosen when scrubbing begins, never stored, and the
/// same for everything in the recording.
package struct Anonymization: Sendable {
  var track: TrackMotion
  var heights: HeightShift
  let satellites: SatelliteAnonymization
  let options: ScrubOptions
  /// The summary so far.
  package internal(set) var tally = ScrubTally()
  /// Decodes a frame as the readers of the scrubbed recording will.
  private var judge = WireDecoder()

  /// Random parameters. Except for tests, the generator must not be reproducible.
  package init(_ options: ScrubOptions = ScrubOptions(), using generator: inout some RandomNumberGenerator) {
    self.options = options
    track = TrackMotion(using: &generator)
    heights = HeightShift(using: &generator)
    satellites = SatelliteAnonymization(keepsSky: options.keepsSky, using: &generator)
  }

  /// The decoder's result for a frame with a correct checksum.
  enum Verdict: Hashable, Sendable {
    case decoded, malformed, unknown
  }

  mutating func verdict(on frame: [UInt8]) -> Verdict {
    let before = judge.counters
    judge.push(frame.span) { _ in }
    if judge.hasPendingBytes { judge.reset() }
    if judge.counters.unknown != before.unknown { return .unknown }
    return judge.counters.malformed != before.malformed ? .malformed : .decoded
  }
}

/// Gives each satellite another number and a fixed position in the sky, because which satellites are visible where at what time
/// reveals the position of the receiver.
package struct SatelliteAnonymization: Sendable {
  /// Numbers are permuted only within a class, so that they keep their number of digits in every numbering that receivers use.
  private static let classes: [(Constellation, [ClosedRange<UInt8>])] = [
    (.gps, [1...9, 10...32]),
    (.sbas, [120...151, 152...158]),
    (.galileo, [1...9, 10...36]),
    (.beidou, [1...5, 6...9, 10...37, 38...63]),
    (.qzss, [1...5, 6...9]),
    (.glonass, [1...9, 10...24, 25...32]),
    (.navic, [1...9, 10...14]),
  ]
  private static let systems = 8

  /// By system and number.
  private var numbers: [UInt8]
  private var elevations: [Int]
  private var azimuths: [Int]
  private let isIdentity: Bool

  /// - Parameter keepsSky: satellites keep their numbers and positions in the sky.
  package init(keepsSky: Bool, using generator: inout some RandomNumberGenerator) {
    isIdentity = keepsSky
    numbers = (0..<Self.systems).flatMap { _ in (0...255).map { UInt8($0) } }
    elevations = (0..<256 * Self.systems).map { _ in Int.random(in: 5...85, using: &generator) }
    azimuths = (0..<256 * Self.systems).map { _ in Int.random(in: 0...359, using: &generator) }
    for (system, ranges) in Self.classes {
      for range in ranges {
        for (number, other) in zip(range, range.shuffled(using: &generator)) {
          numbers[Self.index(SatelliteID(system, number))] = other
        }
      }
    }
  }

  /// The new number of the satellite.
  package func number(of id: SatelliteID) -> UInt8 { isIdentity ? id.number : numbers[Self.index(id)] }

  /// The position in the sky that is written, degrees; `nil`: the true one.
  package func sky(of id: SatelliteID) -> (elevation: Int, azimuth: Int)? {
    isIdentity ? nil : (elevations[Self.index(id)], azimuths[Self.index(id)])
  }

  private static func index(_ id: SatelliteID) -> Int { Int(id.constellation.rawValue) << 8 | Int(id.number) }
}

/// Adds a deterministic offset to a value within its rounding step; the same value always gets the same offset.
///
/// Reported positions lie on a grid of degrees. If they were only rotated and rounded again, that grid would remain
/// visible in a large number of positions, and its angle and the shape of its cells would reveal the rotation and the
/// latitude. Spreading the positions evenly over their cells removes the grid.
struct Dither: Sendable {
  private let key: (UInt64, UInt64)

  init(using generator: inout some RandomNumberGenerator) {
    key = (generator.next(), generator.next())
  }

  /// Offsets as fractions of a cell, −0.5…<0.5, for each of three coordinates of one value.
  func offsets(_ a: Int64, _ b: Int64, _ c: Int64 = 0) -> (Double, Double, Double) {
    var state = key.0
    for part in [a, b, c] { state = Self.mixed(state ^ UInt64(bitPattern: part)) &+ key.1 }
    func next() -> Double {
      state = Self.mixed(state &+ key.1)
      return Double(state >> 11) * 0x1p-53 - 0.5
    }
    return (next(), next(), next())
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit depends on every bit.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Shifts all heights above mean sea level by one constant, and replaces the geoid height, which reveals a position, by
/// a constant. Heights above the ellipsoid follow from both, or are shifted by a constant of their own.
///
/// The first height determines the shift: it is moved to a random height with as many digits, because the fields of
/// sentences keep their widths. The number of digits of the heights and their changes therefore remain visible.
package struct HeightShift: Sendable {
  /// The written geoid height above the ellipsoid, meters.
  package let separation: Double
  /// The fraction of its range to which the first height is moved, 0…<1.
  private let fraction: Double
  private let ellipsoidalFraction: Double
  private var shift: Double?
  /// The last geoid height from the receiver.
  private var reportedSeparation: Double?
  private var ellipsoidal = Ellipsoidal.undecided

  /// How to shift heights for which only the value above the ellipsoid is known.
  private enum Ellipsoidal {
    case undecided
    /// Like those above mean sea level, because the geoid height is known.
    case withSeparation
    /// By a constant of their own: a geoid height that became known later would show as a step.
    case alone(Double)
  }

  package init(using generator: inout some RandomNumberGenerator) {
    separation = Double.random(in: 12..<52, using: &generator)
    fraction = Double.random(in: 0..<1, using: &generator)
    ellipsoidalFraction = Double.random(in: 0..<1, using: &generator)
  }

  /// Shifts a height above mean sea level; `nil` before the first height of a fix that is not 0. `separation`: the
  /// geoid height, if the message contains it.
  package mutating func aboveSeaLevel(_ height: Double, separation reported: Double?, isFix: Bool) -> Double? {
    if isFix, let reported { reportedSeparation = reported }
    // A receiver without a known height may report 0.
    if shift == nil, isFix, height != 0 { shift = Self.target(of: height, fraction) - height }
    return shift.map { height + $0 }
  }

  /// Shifts a height above the ellipsoid that comes without any other height; `nil` before the first one of a fix that
  /// is not 0.
  package mutating func aboveEllipsoid(_ height: Double, isFix: Bool) -> Double? {
    if case .undecided = ellipsoidal, isFix, height != 0 {
      ellipsoidal =
        shift != nil && reportedSeparation != nil
        ? .withSeparation : .alone(Self.target(of: height, ellipsoidalFraction) - height)
    }
    switch ellipsoidal {
    case .undecided: return nil
    case .withSeparation: return height + (shift ?? 0) + separation - (reportedSeparation ?? 0)
    case .alone(let shift): return height + shift
    }
  }

  /// A random height with as many digits, and a margin around it.
  private static func target(of height: Double, _ fraction: Double) -> Double {
    switch height.magnitude {
    case ..<10: 3 + 4 * fraction
    case ..<100: 25 + 50 * fraction
    case ..<1000: 250 + 500 * fraction
    default: 1500 + 2000 * fraction
    }
  }
}
