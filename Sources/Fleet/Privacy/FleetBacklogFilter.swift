package import FleetDestinations
package import Geodesy
import LocationPolicy
import Regions

/// Decides which records of an outbox may still be sent, at the time when they are sent: when they were recorded, the settings and the grant
/// may have allowed more, and some may have become too old since. A hidden region that is added now counts for what was recorded before.
package struct FleetBacklogFilter: Sendable {
  private let settings: FleetSettings
  private let zones: PrivacyZones
  /// Whether only the approximate position is granted.
  package var isGrantReduced = false

  package init(_ settings: FleetSettings) {
    self.settings = settings
    zones = PrivacyZones(settings.hidden.map(\.shape))
  }

  /// Whether nothing may be sent before the time of day is known: what is too old is not known without it.
  package var needsTime: Bool { settings.retention != nil }

  /// Whether a record may be sent; `time`: now, `nil` if it is not known.
  package func allows(_ record: FleetRecord, at time: GNSSTime?) -> Bool {
    if case .days(let days) = settings.retention {
      guard let time, time - record.time <= .seconds(86_400 * days) else { return false }
    }
    switch record.content {
    case .fix(let fix): return allows(fix)
    case .event(.crossing(let crossing)): return allowsExactly(crossing.coordinate)
    case .event(.visit(let visit)): return allowsExactly(visit.coordinate)
    }
  }

  /// Whether a position may be sent, however old it is.
  package func allows(_ fix: PositionFix) -> Bool {
    settings.sendsFixes && !zones.contains(fix.coordinate) && (!isReduced || Self.isReduced(fix))
  }

  private var isReduced: Bool { settings.isReduced || isGrantReduced }

  private func allowsExactly(_ place: Coordinate) -> Bool { !isReduced && !zones.contains(place) }

  /// Whether it is what `ReducedPosition` makes of a fix: no other has no technology at all and so large a radius.
  private static func isReduced(_ fix: PositionFix) -> Bool {
    fix.kind == .estimated && fix.technologies.isEmpty && fix.speedMetersPerSecond == nil
      && fix.horizontalRadius68 > ReducedPosition.margin
  }
}
