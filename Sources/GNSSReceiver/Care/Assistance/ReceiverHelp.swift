package import Geodesy

/// What is known that helps a receiver to its first fix.
package struct ReceiverHelp: Hashable, Sendable {
  /// What it knew of the satellites.
  package var data: AssistanceData?
  /// UTC now; `nil` where ours cannot be trusted.
  package var utc: GNSSTime?
  /// How far `utc` may be off.
  package var utcError: Duration = .seconds(1)
  /// Roughly where it is.
  package var place: AssistancePlace?

  /// Nothing known.
  package init() {}
}
