/// What a client uses location for.
package struct LocationUses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Updates, one fix, a log.
  package static let location = LocationUses(rawValue: 1 << 0)
  package static let ranging = LocationUses(rawValue: 1 << 1)
  package static let significantChanges = LocationUses(rawValue: 1 << 2)
  package static let visits = LocationUses(rawValue: 1 << 3)
  package static let fences = LocationUses(rawValue: 1 << 4)

  /// What is shown solid (Documentation/Behavior.md, "Authorization"). Visits, which it does not name, are shown as fences are:
  /// they wait.
  package static let solid: LocationUses = [.location, .ranging, .significantChanges]
}
