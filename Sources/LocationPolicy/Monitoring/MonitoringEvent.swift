package import Geodesy
package import Regions

/// Something that was monitored has happened, and is told until whoever it is for says that it was heard.
package struct MonitoringEvent: Hashable, Sendable {
  package enum Happening: Hashable, Sendable {
    /// A border was crossed; where the device is now.
    case crossed(RegionState)
    /// It is known now where the device is, which was not known: no border was crossed. `.unknown`: nobody can tell any more, as its
    /// owner has set a time for that.
    case determined(RegionState)
    case arrived(Visit)
    case departed(Visit)
    /// A significant change.
    case moved

    /// Where the device is with regard to the region; `nil`: it is about none.
    package var state: RegionState? {
      switch self {
      case .crossed(let state), .determined(let state): state
      case .arrived, .departed, .moved: nil
      }
    }
  }

  /// Of no other event of this machine; later ones have greater numbers.
  package var id: UInt64
  package var subject: MonitoringSubject
  package var happening: Happening
  /// When it was so; `nil`: nobody saw it.
  package var time: GNSSTime?
  /// By which it was noticed.
  package var fix: PositionFix?
  /// How often it has been told, this time included: ≥ 1. With more than 1 it may have been heard before.
  package var attempt: Int

  package init(
    id: UInt64, _ subject: MonitoringSubject, _ happening: Happening, time: GNSSTime?, fix: PositionFix?,
    attempt: Int = 1
  ) {
    self.id = id
    self.subject = subject
    self.happening = happening
    self.time = time
    self.fix = fix
    self.attempt = attempt
  }
}
