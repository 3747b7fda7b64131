/// What of a list is monitored.
package struct MonitoringUses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let regions = MonitoringUses(rawValue: 1 << 0)
  package static let visits = MonitoringUses(rawValue: 1 << 1)
  package static let significantChanges = MonitoringUses(rawValue: 1 << 2)
  /// Regions that are only shown by the desktop, for which being authorized while in use is enough (Documentation/Behavior.md,
  /// "Regions").
  package static let notices = MonitoringUses(rawValue: 1 << 3)

  package static let all: MonitoringUses = [.regions, .visits, .significantChanges, .notices]
}
