/// How a client moves, in Apple's terms (`CLActivityType`).
package enum Activity: String, Hashable, Sendable, CaseIterable {
  /// Not known.
  case other
  /// In a car, along roads.
  case automotiveNavigation
  /// On foot, running or on a bicycle.
  case fitness
  /// A vehicle that is no car, such as a train.
  case otherNavigation
  /// In the air.
  case airborne
  /// On the water, including at anchor.
  case maritime
}
