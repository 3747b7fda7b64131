import LocationIPC

extension MonitoringRequest {
  /// The answer where nothing was ever monitored; `nil`: it is a request to change that, or to wait for it.
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
