import LocationIPC

/// Whoever follows updates that are shared: a manager, or an iteration of live updates.
protocol UpdateFollower: AnyObject, Sendable {
  /// Hears what came of a stream, whose fix others are told as `location`; on the service's thread, or in one's own call. Where
  /// a manager is to come by for it, that is added to `calls`.
  func hear(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls)
  /// What this program may have is known, or has changed.
  func authorizationChanged(_ state: AuthorizationState)
}

extension ManagerEngine: UpdateFollower {
  func hear(_ input: ManagerMachine.Input, as location: CLLocation?, _ calls: inout DeliveryCalls) {
    if hear(input, as: location) { calls.add(self) }
  }
}
