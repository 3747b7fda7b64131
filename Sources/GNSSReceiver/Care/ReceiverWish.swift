/// How clients would have a receiver be while a service owns it.
package struct ReceiverWish: Hashable, Sendable {
  /// How they move; `nil`: as the receiver is set.
  package var dynamicModel: DynamicModel?
  /// Epochs a second, 1…25; `nil`: as the receiver is set.
  package var rateHertz: Int?
  /// How far apart positions may be so that the receiver sleeps between them; `nil`: it stays awake.
  package var sparingPeriod: Duration?

  /// Nothing but what honest radii need.
  package init(dynamicModel: DynamicModel? = nil, rateHertz: Int? = nil, sparingPeriod: Duration? = nil) {
    self.dynamicModel = dynamicModel
    self.rateHertz = rateHertz
    self.sparingPeriod = sparingPeriod
  }

  /// What serves two clients at once: the faster rate, a model that fits both, no more sleep than both allow.
  package func joined(with other: ReceiverWish) -> ReceiverWish {
    var wish = ReceiverWish()
    switch (dynamicModel, other.dynamicModel) {
    case (let mine?, let theirs?): wish.dynamicModel = mine == theirs ? mine : .portable
    case (let mine, let theirs): wish.dynamicModel = mine ?? theirs
    }
    wish.rateHertz = [rateHertz, other.rateHertz].compactMap { $0 }.max()
    if let sparingPeriod, let theirs = other.sparingPeriod { wish.sparingPeriod = min(sparingPeriod, theirs) }
    return wish
  }
}
