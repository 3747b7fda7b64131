/// Managers that are to come by, so that each run loop is woken once for all of its own.
struct DeliveryCalls {
  private var calls: [ObjectIdentifier: (delivery: RunLoopDelivery, numbers: [RunLoopDelivery.Number])] = [:]

  /// The manager of `engine` is to come by.
  mutating func add(_ engine: ManagerEngine) {
    guard let number = engine.number else { return }
    calls[ObjectIdentifier(engine.delivery), default: (engine.delivery, [])].numbers.append(number)
  }

  /// Wakes the run loops.
  func make() {
    for call in calls.values { call.delivery.wake(call.numbers) }
  }
}
