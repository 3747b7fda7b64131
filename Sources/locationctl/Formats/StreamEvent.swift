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

  /// As a person reads it.
  var words: String {
    switch change {
    case .lost: "no fix any more"
    case .back: "fixes again"
    case .suspended: "no fixes in the background"
    case .resumed: "fixes again, in use"
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
