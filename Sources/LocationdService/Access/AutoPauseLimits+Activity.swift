import LocationIPC
import LocationPolicy

extension AutoPauseLimits {
  /// How long something has to last for a client that moves so.
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
