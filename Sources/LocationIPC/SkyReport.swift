package import Geodesy

/// What one receiver said of the sky in one epoch, with or without a fix. Strings that a device supplied are sanitized and
/// bounded.
package struct SkyReport: Hashable, Sendable {
  /// More than all systems have in orbit over one place.
  package static let maximumSatellites = 128

  /// What the epoch is about; `nil` where the receiver has told no time.
  package var time: GNSSTime?
  /// What is believed of that time.
  package var timeValidity: TimeValidity?
  /// Its node, as `devices` lists it.
  package var device: String
  /// Its stable identity.
  package var receiver: String?
  /// The fix that it has; `nil`: it says that it has none.
  package var fix: FixKind?
  /// Dilutions of precision, above zero: horizontal, vertical, of position. `nil`: not told, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// Satellites in the solution: as the receiver counts them, or as it lists them where that is more. `nil`: not told.
  package var satellitesUsed: Int?
  /// At most `maximumSatellites`, by constellation and number; `nil`: the receiver has listed none yet.
  package var satellites: [SatelliteReport]?
  /// How much older the list is than the epoch: receivers may list their satellites less often. Zero: it is the epoch's own.
  package var listAge: Duration = .zero
  /// Whether any of it came from a replay or a simulator.
  package var isSimulated = false

  /// A report of which only the receiver is known.
  package init(device: String) { self.device = device }
}
