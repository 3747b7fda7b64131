extension CLLocationUpdate {
  /// How the device moves: a hint.
  public enum LiveConfiguration: Hashable, Sendable {
    /// Not known.
    case `default`
    /// In a car.
    case automotiveNavigation
    /// A vehicle that is no car: such as a train.
    case otherNavigation
    /// On foot, running, on a bicycle.
    case fitness
    /// In the air.
    case airborne
    /// On the water, including at anchor.
    case maritime
  }
}
