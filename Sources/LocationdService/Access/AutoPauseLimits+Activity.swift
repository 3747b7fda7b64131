import LocationIPC
import LocationPolicy

extension AutoPauseLimits {
  /// How long a state must last to count, for a client with this activity.
  init(for activity: Activity?) {
    self =
      switch activity {
      case nil, .other: .other
      case .automotiveNavigation: .automotive
      case .fitness: .fitness
      case .otherNavigation: .otherNavigation
      case .airborne: .airborne
      case .maritime: .maritime
      }
  }
}
