/// One satellite: its system, and its number within that system (PRN, slot, or space vehicle number, counted from 1; SBAS
/// from 120).
package struct SatelliteID: Hashable, Sendable {
  package let constellation: Constellation
  /// Number within the system, 1…255.
  package let number: UInt8

  package init(_ constellation: Constellation, _ number: UInt8) {
    self.constellation = constellation
    self.number = number
  }
}
