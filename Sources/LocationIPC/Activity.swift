/// How a client moves, in Apple's terms (`CLActivityType`).
package enum Activity: String, Hashable, Sendable, CaseIterable {
  /// Not known.
  case other
  /// In a car, along roads.
  case automotiveNavigation
  /// On foot, running or on a bicycle.
  case fitness
  /// A vehicle that is no car: a boat, a train.
  case otherNavigation
  /// In the air.
  case airborne
}
