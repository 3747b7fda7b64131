/// GSA, satellites used and dilution (NMEA 0183 4.11, section 8.3.40). Several an epoch, one per system.
package struct GSA: Sendable {
  /// Dimensions of the fix.
  package enum Dimension: UInt8, Hashable, Sendable {
    case none = 1
    case two = 2
    case three = 3
  }

  /// Places that some receivers have (Navior CH-4701); the standard has twelve.
  package static let mostSatellites = 24

  package var dimension: Dimension
  /// Satellites of the places that are filled with a number.
  package var satellitesUsed: UInt8 = 0
  /// The first `satellitesUsed` of them are those numbers, as told: `system` says whose.
  package var numbers: InlineArray<24, Int16> = .init(repeating: 0)
  package var pdopHundredths: Int32?
  package var hdopHundredths: Int32?
  package var vdopHundredths: Int32?
  /// From 4.11 on.
  package var system: NMEASystem?
}
