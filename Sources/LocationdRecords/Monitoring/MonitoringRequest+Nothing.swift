import LocationIPC

extension MonitoringRequest {
  /// The answer if nothing was ever monitored; `nil`: the request changes that, or waits for events.
  var answerOfNothing: MonitoringAnswer? {
    switch self {
    case .state: .state(nil)
    case .read: .regions([], next: nil)
    case .lists: .lists([])
    case .visits: .visits([])
    case .add, .remove, .removeAll, .setVisits, .setSignificantChanges, .follow, .heard, .room: nil
    }
  }
}
