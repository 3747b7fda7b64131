import FleetDestinations
import LocationdConfiguration
import LocationdRecords

extension DaemonLog {
  /// Writes an event of the destinations; never a position, an account or a secret.
  func write(_ event: FleetServiceEvent) {
    switch event {
    case .changed(let name, .connected, _): line(.info, "Destination \(clean(name)) is connected.")
    case .changed(let name, .refused, let problem):
      line(.error, "Destination \(clean(name)) refuses positions\(words(problem)).")
    case .changed(let name, .unheard, _):
      line(.warning, "Destination \(clean(name)): nobody has subscribed to the topic; positions wait.")
    case .changed(let name, .waiting, let problem):
      line(.warning, "Destination \(clean(name)) cannot be reached\(words(problem)); positions wait.")
    case .changed(let name, .notAllowed, _):
      line(.warning, "Destination \(clean(name)) has no access to the location.")
    case .changed(let name, .paused, _): line(.info, "Destination \(clean(name)) is paused.")
    case .changed(let name, .resting, _): line(.info, "Destination \(clean(name)) is outside of its schedule.")
    case .changed(_, .idle, _), .changed(_, .connecting, _): break
    case .lost(let name, let count):
      line(.error, "The outbox of destination \(clean(name)) was full: \(count) positions were deleted unsent.")
    case .unreadable(let path):
      line(.error, "The settings in \(clean(path)) cannot be read: nothing is sent to that destination.")
    case .cannotKeep(let path, let reason):
      line(.error, "Cannot read or write the outbox in \(clean(path)): \(clean(reason)).")
    }
  }

  private func words(_ problem: FleetProblem?) -> String { problem.map { " (\($0.name))" } ?? "" }
}
