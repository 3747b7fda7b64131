import LocationIPC
import LocationPolicy

/// What the page shows instead of a position. The complete message, with what to do about it, is that of `locationctl doctor`.
enum FailureText {
  static func of(_ progress: LocationProgress) -> String {
    switch progress {
    case .waitingForSource: "Waiting for a receiver to be plugged in."
    case .waitingForPort: "Another program uses the receiver."
    case .listening: "Waiting for data from the receiver."
    case .searching(_, let inView, _):
      inView.map { "Waiting for a position: \($0) satellite\($0 == 1 ? "" : "s") in view." }
        ?? "Waiting for a position."
    case .converging: "The position is becoming more accurate."
    }
  }

  static func of(_ failure: LocationFailure) -> String {
    switch failure {
    case .noSource: "There is no receiver: plug one in."
    case .noKnownAccessPoint: "There is no receiver, and the positions of the Wi-Fi access points are unknown."
    case .untrustedAdapters: "A serial adapter waits to be trusted: see 'locationctl devices'."
    case .permissionDenied: "The service has no permission to open the receiver: see 'locationctl doctor'."
    case .notAuthorized: "You have no access to the location: see 'locationctl grants'."
    case .sourceEnded: "The receiver, or the recording, has ended."
    case .serviceLost, .serviceBusy, .serviceSilent, .serviceRefused, .serviceUnreadable:
      "The location service does not answer: see 'systemctl status locationd'."
    case .log(.unknown): "There is no log of that name."
    case .log(.sealed): "The log is encrypted: 'locationctl log export' reads it with your key."
    case .log: "The log cannot be read: see 'locationctl log list'."
    case .monitoring(.tooManyRegions(let limit)): "There are \(limit) regions already, which is the limit."
    case .monitoring: "The service cannot save the regions: see 'locationctl region list'."
    default: "There is no position: see 'locationctl doctor'."
    }
  }
}
