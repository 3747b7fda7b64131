package import Geodesy
package import LocationIPC
package import TrackFormats

/// A line of a stream that has no position: what changed, and when as far as that is known.
package struct StreamEvent: Hashable, Sendable {
  package var change: StreamChange
  package var time: GNSSTime?

  package init(_ change: StreamChange, at time: GNSSTime?) {
    self.change = change
    self.time = time
  }

  /// The contract's word.
  package var name: String {
    switch change {
    case .lost: "lost"
    case .back: "back"
    case .suspended: "paused"
    case .resumed: "resumed"
    }
  }

  /// `{"event":"lost","timestamp":…}`.
  package var jsonObject: JSONObject {
    var object = JSONObject()
    object.add("event", .text(name))
    object.add("timestamp", .text(time.flatMap { Timestamp($0)?.iso8601 }))
    return object
  }
}
