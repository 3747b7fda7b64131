import Foundation
import TestSupport

/// `device-watch` in the test bed: what its inventory reports, and what it reads from the ports that it opened.
final class WatchedInventory {
  private let process: HelperProcess

  init(in bed: DeviceBed) throws { process = try HelperProcess("device-watch", ["udev"], environment: bed.environment) }

  /// The next line that reports this event.
  func next(_ event: String) throws -> [String: String] {
    for _ in 0..<100 {
      guard let line = process.next() else { break }
      let object = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: String]
      if let object, object["event"] == event { return object }
    }
    throw Silent(waitingFor: event)
  }

  struct Silent: Error {
    let waitingFor: String
  }
}
