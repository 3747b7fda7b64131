package import WireFormats

/// Gives each satellite another's number, and a place in the sky where it stands still: which satellites are seen where at
/// what time tells where they are seen from.
package struct SatelliteDisguise: Sendable {
  /// Numbers change places within a class only: they keep their digits in every numbering that receivers use.
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

  /// - Parameter keepsSky: satellites stay what and where they are.
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

  /// Whose number the satellite is given.
  package func number(of id: SatelliteID) -> UInt8 { isIdentity ? id.number : numbers[Self.index(id)] }

  /// Where it is said to stand, degrees; `nil`: where it is.
  package func sky(of id: SatelliteID) -> (elevation: Int, azimuth: Int)? {
    isIdentity ? nil : (elevations[Self.index(id)], azimuths[Self.index(id)])
  }

  private static func index(_ id: SatelliteID) -> Int { Int(id.constellation.rawValue) << 8 | Int(id.number) }
}
